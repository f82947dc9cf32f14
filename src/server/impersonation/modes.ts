// The ways in which one user may be allowed to act as another. The constrained ones (KEP-5284) ask for two rights: to
// impersonate that user, and to do this very request as somebody else; the legacy one only for the verb `impersonate`.
import type { UserInfo } from "../../authentication/interface.ts";
import { parseNodeUserName, parseServiceAccountUserName } from "../../authentication/service_account_names.ts";
import { forbiddenStatus } from "../../authorization/forbidden.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import { ImpersonationCache, keyOf } from "./cache.ts";
import { ImpersonationRights, isNodeUser, requireRight } from "./rights.ts";

/** What somebody asks for. */
export interface ImpersonationRequest {
  wanted: UserInfo;
  /** Of the request itself, by the user who sent it. */
  attributes: AuthorizationAttributes;
}

export interface ImpersonationMode {
  readonly name: string;
  /** The user to act as; undefined when the mode is not for such users. Throws 403. */
  check(request: ImpersonationRequest): Promise<UserInfo | undefined>;
}

const NODE_NAME_KEY = "authentication.kubernetes.io/node-name";
const ASSOCIATED_NODE_KEYS = "authentication.kubernetes.io/associated-node-keys";

/** In the order in which they are tried. */
export function impersonationModes(authorizer: Authorizer): ImpersonationMode[] {
  const legacy = new ImpersonationRights(authorizer, "impersonate", false);
  return [
    associatedNode(authorizer),
    constrained("arbitrary-node", authorizer, ({ wanted }) => onlyName(wanted) && isNodeUser(wanted.name)),
    constrained("serviceaccount", authorizer, ({ wanted }) => onlyName(wanted) && isServiceAccount(wanted.name)),
    constrained("user-info", authorizer, ({ wanted }) => !isNodeUser(wanted.name) && !isServiceAccount(wanted.name)),
    { name: "legacy", check: ({ wanted, attributes }) => legacy.require(wanted, attributes.user) },
  ];
}

function constrained(
  mode: string,
  authorizer: Authorizer,
  isFor: (request: ImpersonationRequest) => boolean,
): ImpersonationMode {
  const rights = new ImpersonationRights(authorizer, `impersonate:${mode}`, true);
  // The rights to the request as a whole, and those to the user alone, which more requests share.
  const requests = new ImpersonationCache(), users = new ImpersonationCache();
  return {
    name: mode,
    async check(request) {
      if (!isFor(request)) return undefined;
      const { wanted, attributes } = request;
      const whole = keyOf(wanted, attributes);
      const known = requests.get(whole);
      if (known !== undefined) return known;
      await requireRight(authorizer, { ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` });
      const part = keyOf(wanted, { user: attributes.user });
      let user = users.get(part);
      if (user === undefined) {
        user = await rights.require(wanted, attributes.user);
        users.set(part, user);
      }
      requests.set(whole, user);
      return user;
    },
  };
}

/** A service account may act as the node that its pod runs on, whichever that is: the right is one to all nodes. */
function associatedNode(authorizer: Authorizer): ImpersonationMode {
  const anyNode: Authorizer = {
    async authorize(attributes) {
      const { user, verb } = attributes;
      const seen: AuthorizationAttributes = {
        ...attributes,
        user: { ...user, extra: { [ASSOCIATED_NODE_KEYS]: Object.keys(user.extra).sort() } },
        name: verb === "impersonate:associated-node" ? "*" : attributes.name,
      };
      const result = await authorizer.authorize(seen);
      if (result.decision === "allow") return result;
      // Refused in the words of what was asked, which is not what was wanted.
      throw forbiddenStatus(seen, result.reason);
    },
  };
  return constrained("associated-node", anyNode, ({ wanted, attributes: { user } }) => {
    if (!onlyName(wanted) || !isNodeUser(wanted.name) || !isServiceAccount(user.name)) return false;
    const own = user.extra[NODE_NAME_KEY];
    return own?.length === 1 && own[0] === parseNodeUserName(wanted.name);
  });
}

function onlyName({ uid, groups, extra }: UserInfo): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

function isServiceAccount(user: string): boolean {
  return parseServiceAccountUserName(user) !== undefined;
}
