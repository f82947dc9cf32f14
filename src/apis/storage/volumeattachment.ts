// Volume attachments: a volume that is to be attached to a node.
import type { KubeObject } from "../../machinery/types.ts";
import {
  byteLength,
  collect,
  type Field,
  nameIsDNSSubdomain,
  rangeMessage,
  validateImmutable,
} from "../../machinery/validation/mod.ts";
import { AGE, boolean, NAME, text } from "../columns.ts";
import { setVolumeSpecDefaults } from "../core/persistentvolume.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";

type AttachmentObject = KubeObject & VolumeAttachment;

const volumeRules = new LaterModule(() => import("../core/persistentvolume_validation.ts"));

const MAX_METADATA = 256 * 1024;
const MAX_MESSAGE = 1024;
const ONE_SOURCE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

function check(object: AttachmentObject, root: Field): void {
  const { spec = {}, status = {} } = object, at = root.child("spec"), statusField = root.child("status");
  checkMeta(object, root, { namespaced: false });
  podRules.module.validateCSIDriverName(spec.attacher ?? "", at.child("attacher"));
  checkSource(spec.source ?? {}, at.child("source"));
  const { nodeName = "" } = spec, volume = spec.source?.persistentVolumeName;
  at.child("nodeName").invalidEach(nodeName, nameIsDNSSubdomain(nodeName, false));
  checkMetadata(status.attachmentMetadata, statusField.child("attachmentMetadata"));
  checkError(status.attachError, statusField.child("attachError"));
  checkError(status.detachError, statusField.child("detachError"));
  if (volume !== undefined) {
    at.child("source", "persistentVolumeName").invalidEach(volume, nameIsDNSSubdomain(volume, false));
  }
}

function checkSource(
  { inlineVolumeSpec: inline, persistentVolumeName: name }: VolumeAttachmentSource,
  at: Field,
): void {
  if (!inline && name === undefined) at.required(ONE_SOURCE);
  else if (inline && name !== undefined) at.forbidden(ONE_SOURCE);
  else if (inline) volumeRules.module.checkInlineVolume(inline, at.child("inlineVolumeSpec"));
  else if (name === "") at.child("persistentVolumeName").required("must specify non empty persistentVolumeName");
}

function checkMetadata(metadata: Readonly<Record<string, string>> | undefined, at: Field): void {
  let size = 0;
  for (const [key, value] of Object.entries(metadata ?? {})) size += byteLength(key) + byteLength(value);
  if (size > MAX_METADATA) at.tooLong(MAX_METADATA);
}

function checkError(error: VolumeError | undefined, at: Field): void {
  if (!error) return;
  // What the message says is the limit of metadata.
  if (byteLength(error.message ?? "") > MAX_MESSAGE) at.child("message").tooLong(MAX_METADATA);
  const { errorCode } = error;
  if (errorCode !== undefined && errorCode < 0) {
    at.child("errorCode").invalid(errorCode, rangeMessage(0, 2 ** 31 - 1));
  }
}

function checkUpdate(object: AttachmentObject, old: AttachmentObject) {
  return collect((root) => {
    check(object, root);
    const [now, before] = [object, old].map(({ spec }) => internalForm("VolumeAttachmentSpec", spec));
    validateImmutable({ now, before }, root.child("spec"));
  });
}

export const volumeAttachment: KindDefinition<AttachmentObject> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "VolumeAttachment" },
  resource: "volumeattachments",
  async load() {
    await Promise.all([volumeRules.load(), podRules.load()]);
  },
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  setDefaults({ spec }) {
    if (spec?.source?.inlineVolumeSpec) setVolumeSpecDefaults(spec.source.inlineVolumeSpec);
  },
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: checkUpdate,
  columns: [
    NAME,
    { ...text("Attacher", "Who attaches.", (o) => o.spec?.attacher ?? ""), format: "name" },
    text("PV", "The volume.", (o) => o.spec?.source?.persistentVolumeName ?? ""),
    text("Node", "Where it is attached.", (o) => o.spec?.nodeName ?? ""),
    boolean("Attached", "Whether it is.", (o) => o.status?.attached ?? false),
    AGE,
  ],
  statusResetFields: [["metadata"], ["spec"]],
  subresources: { status: { checksMetadata: true, validateUpdate: checkUpdate } },
};
