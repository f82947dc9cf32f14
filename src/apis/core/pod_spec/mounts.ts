// Rules of volume mounts and devices of a container.
import type { Container, VolumeDevice, VolumeMount } from "../../../facts/generated/types.ts";
import { collect, type Field } from "../../../machinery/validation/field.ts";
import { validateDescendingPath, validateNoBacksteps } from "./paths.ts";
import type { PodScope } from "./scope.ts";

const PROPAGATIONS = ["Bidirectional", "HostToContainer", "None"];
const RECURSIVE_READ_ONLY = ["Disabled", "Enabled", "IfPossible"];

/** Paths by the name of the volume, the last one counting. */
function pathsOf(list: readonly { name?: string; mountPath?: string; devicePath?: string }[]): Map<string, string> {
  return new Map(list.map((m) => [m.name ?? "", m.mountPath ?? m.devicePath ?? ""]));
}

export function validateMounts(container: Container, at: Field, scope: PodScope): void {
  const mounts = container.volumeMounts, devices = container.volumeDevices;
  if (mounts) validateVolumeMounts(mounts, at.child("volumeMounts"), { container, scope });
  if (devices) validateVolumeDevices(devices, at.child("volumeDevices"), { container, scope });
}

interface MountScope {
  container: Container;
  scope: PodScope;
}

function validateVolumeMounts(mounts: readonly VolumeMount[], at: Field, { container, scope }: MountScope): void {
  const devices = container.volumeDevices ? pathsOf(container.volumeDevices) : undefined;
  const devicePaths = devices && new Set(devices.values());
  const taken = new Set<string>();
  for (let i = 0; i < mounts.length; i++) {
    const mount = mounts[i], field = at.index(i);
    const { name = "", mountPath = "" } = mount;
    if (name === "") field.child("name").required();
    if (!scope.volumes.has(name)) field.child("name").notFound(name);
    if (mountPath === "") field.child("mountPath").required();
    if (taken.has(mountPath)) field.child("mountPath").invalid(mountPath, "must be unique");
    taken.add(mountPath);
    if (devices?.has(name)) field.child("name").invalid(name, "must not already exist in volumeDevices");
    if (devicePaths?.has(mountPath)) {
      field.child("mountPath").invalid(mountPath, "must not already exist as a path in volumeDevices");
    }
    validateMountDetails(mount, { at, field, container });
  }
}

/** Sub-paths, propagation and the like: reported of the list, but for one. */
function validateMountDetails(
  mount: VolumeMount,
  { at, field, container }: { at: Field; field: Field; container: Container },
): void {
  const { subPath = "", subPathExpr = "", mountPropagation } = mount;
  if (subPath !== "") validateDescendingPath(subPath, at.child("subPath"));
  if (subPathExpr !== "") {
    if (subPath !== "") {
      field.child("subPathExpr").invalid(subPathExpr, "subPathExpr and subPath are mutually exclusive");
    }
    validateDescendingPath(subPathExpr, at.child("subPathExpr"));
  }
  if (mountPropagation !== undefined) {
    const propagation = at.child("mountPropagation");
    if (!PROPAGATIONS.includes(mountPropagation)) propagation.notSupported(mountPropagation, PROPAGATIONS);
    if (mountPropagation === "Bidirectional" && !container.securityContext?.privileged) {
      propagation.forbidden("Bidirectional mount propagation is available only to privileged containers");
    }
  }
  validateRecursiveReadOnly(mount, at.child("recursiveReadOnly"));
}

function validateRecursiveReadOnly(mount: VolumeMount, at: Field): void {
  const { recursiveReadOnly: mode, mountPropagation = "None" } = mount;
  if (mode === undefined || mode === "Disabled") return;
  if (!RECURSIVE_READ_ONLY.includes(mode)) return at.notSupported(mode, RECURSIVE_READ_ONLY);
  if (!mount.readOnly) at.forbidden("may only be specified when readOnly is true");
  if (mountPropagation !== "None") {
    at.forbidden("may only be specified when mountPropagation is None or not specified");
  }
}

function validateVolumeDevices(devices: readonly VolumeDevice[], at: Field, { container, scope }: MountScope): void {
  const mounts = pathsOf(container.volumeMounts ?? []);
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>(), paths = new Set<string>();
  devices.forEach(({ name = "", devicePath = "" }, i) => {
    const nameField = at.index(i).child("name"), pathField = at.index(i).child("devicePath");
    const volume = scope.volumes.get(name);
    if (name === "") nameField.required();
    if (names.has(name)) nameField.invalid(name, "must be unique");
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) {
      nameField.invalid(
        name,
        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
      );
    }
    if (!volume) nameField.notFound(name);
    if (devicePath === "") pathField.required();
    if (paths.has(devicePath)) pathField.invalid(devicePath, "must be unique");
    if (collect((root) => validateNoBacksteps(devicePath, root)).length > 0) {
      pathField.invalid(devicePath, "can not contain backsteps ('..')");
    } else paths.add(devicePath);
    if (mounts.has(name)) nameField.invalid(name, "must not already exist in volumeMounts");
    if (mountPaths.has(devicePath)) {
      pathField.invalid(devicePath, "must not already exist as a path in volumeMounts");
    }
    if (name !== "") names.add(name);
  });
}
