// --authentication-config: an AuthenticationConfiguration (apiserver.config.k8s.io) with the issuers whose tokens are taken.
import { X509Certificate } from "node:crypto";
import { type ConfigurationKind, parseConfigurationFile } from "../../machinery/configuration_file.ts";
import { aggregate } from "../../machinery/field_error.ts";
import { collect, type Field, validateDomainPrefixedPath } from "../../machinery/validation/mod.ts";
import {
  ALGORITHMS,
  type ClaimMapping,
  type ExtraMapping,
  type JwtAuthenticatorConfig,
  type Rule,
} from "./interface.ts";

export interface AuthenticationConfiguration {
  jwt: JwtAuthenticatorConfig[];
  /** Undefined: as --anonymous-auth says. */
  anonymous?: { enabled: boolean; paths: string[] };
}

const MAPPING = { claim: "string", prefix: "string", expression: "string" } as const;
const KIND: ConfigurationKind = {
  group: "apiserver.config.k8s.io",
  versions: ["v1", "v1beta1", "v1alpha1"],
  kind: "AuthenticationConfiguration",
  shape: {
    jwt: [{
      issuer: {
        url: "string",
        discoveryURL: "string",
        certificateAuthority: "string",
        audiences: "strings",
        audienceMatchPolicy: "string",
        egressSelectorType: "string",
      },
      claimValidationRules: [{ claim: "string", requiredValue: "string", expression: "string", message: "string" }],
      claimMappings: {
        username: MAPPING,
        groups: MAPPING,
        uid: { claim: "string", expression: "string" },
        extra: [{ key: "string", valueExpression: "string" }],
      },
      userValidationRules: [{ expression: "string", message: "string" }],
    }],
    anonymous: { enabled: "boolean", conditions: [{ path: "string" }] },
  },
};
const MOST_ISSUERS = 64;

interface GivenMapping {
  claim?: string;
  prefix?: string;
  expression?: string;
}

interface GivenJwt {
  issuer?: {
    url?: string;
    discoveryURL?: string;
    certificateAuthority?: string;
    audiences?: string[];
    audienceMatchPolicy?: string;
    egressSelectorType?: string;
  };
  claimValidationRules?: { claim?: string; requiredValue?: string; expression?: string; message?: string }[];
  claimMappings?: {
    username?: GivenMapping;
    groups?: GivenMapping;
    uid?: GivenMapping;
    extra?: { key?: string; valueExpression?: string }[];
  };
  userValidationRules?: { expression?: string; message?: string }[];
}

interface Given {
  jwt?: GivenJwt[];
  anonymous?: { enabled?: boolean; conditions?: { path?: string }[] };
}

/**
 * Throws an Error with everything that is wrong.
 * @param ownIssuers of service account tokens, which nobody else may be
 */
export async function parseAuthenticationConfiguration(
  text: string,
  ownIssuers: readonly string[],
): Promise<AuthenticationConfiguration> {
  const { jwt = [], anonymous } = await parseConfigurationFile(text, KIND) as Given;
  const compilers = jwt.some(mentionsExpressions) ? await import("./expressions.ts") : undefined;
  const checked: JwtAuthenticatorConfig[] = [];
  const errors = collect((root) => {
    const at = root.child("jwt");
    if (jwt.length > MOST_ISSUERS) return at.tooMany(jwt.length, MOST_ISSUERS);
    jwt.forEach((given, i) => checked.push(checkJwt(given, at.index(i), { ownIssuers, compilers })));
    checkDistinct(jwt, at);
    if (anonymous && !anonymous.enabled && anonymous.conditions?.length) {
      const why = "enabled should be set to true when conditions are defined";
      root.child("anonymous", "conditions").invalid(
        anonymous.conditions.map(({ path }) => ({ Path: path ?? "" })),
        why,
      );
    }
  });
  if (errors.length > 0) throw new Error(aggregate(errors));
  return {
    jwt: checked,
    anonymous: anonymous &&
      { enabled: anonymous.enabled ?? false, paths: (anonymous.conditions ?? []).map(({ path = "" }) => path) },
  };
}

function checkDistinct(jwt: readonly GivenJwt[], at: Field): void {
  for (const name of ["url", "discoveryURL"] as const) {
    const seen = new Set<string>();
    jwt.forEach(({ issuer }, i) => {
      const url = issuer?.[name] ?? "";
      if (url !== "" && seen.has(url)) at.index(i).child("issuer", name).duplicate(url);
      seen.add(url);
    });
  }
}

type Compilers = typeof import("./expressions.ts");

/** The expression language is loaded where there are expressions. */
function mentionsExpressions(given: GivenJwt): boolean {
  return JSON.stringify(given).includes('xpression":');
}

interface JwtCheck {
  ownIssuers: readonly string[];
  compilers: Compilers | undefined;
}

function checkJwt(given: GivenJwt, at: Field, { ownIssuers, compilers }: JwtCheck): JwtAuthenticatorConfig {
  const { issuer = {}, claimValidationRules = [], claimMappings = {}, userValidationRules = [] } = given;
  const mappings = at.child("claimMappings");
  const expressions = new ExpressionCheck(compilers);
  checkIssuer(issuer, at.child("issuer"), ownIssuers);
  const rules = checkClaimRules(claimValidationRules, at.child("claimValidationRules"), expressions);
  const username = checkMapping(claimMappings.username ?? {}, mappings.child("username"), expressions)!;
  const checked: JwtAuthenticatorConfig = {
    issuer: {
      url: issuer.url ?? "",
      discoveryUrl: issuer.discoveryURL ?? "",
      certificateAuthority: issuer.certificateAuthority ?? "",
      audiences: issuer.audiences ?? [],
    },
    algorithms: ALGORITHMS,
    ...rules,
    username,
    groups: checkOptionalMapping(claimMappings.groups, mappings.child("groups"), expressions),
    uid: checkUid(claimMappings.uid, mappings.child("uid"), expressions),
    extra: checkExtra(claimMappings.extra ?? [], mappings.child("extra"), expressions),
    userRules: checkUserRules(userValidationRules, at.child("userValidationRules"), expressions),
  };
  checkEmail(checked, mappings.child("username", "expression"), expressions);
  return checked;
}

/** Compiles expressions to see what is wrong with them, and remembers which claims they read. */
class ExpressionCheck {
  /** By expression. */
  readonly claims = new Map<string, ReadonlySet<string>>();

  constructor(readonly compilers: Compilers | undefined) {}

  check(
    how: keyof Pick<Compilers, "compileClaimMapping" | "compileClaimRule" | "compileUserRule">,
    expression: string,
    at: Field,
  ): void {
    try {
      this.claims.set(expression, this.compilers![how](expression).claims);
    } catch (e) {
      at.invalid(expression, (e as Error).message);
    }
  }

  reads(expression: string, claim: string): boolean {
    return this.claims.get(expression)?.has(claim) ?? false;
  }
}

/** An address makes nobody a user before it was looked at whether the issuer verified it. */
function checkEmail(
  { username, extra, claimRules }: JwtAuthenticatorConfig,
  at: Field,
  checked: ExpressionCheck,
): void {
  if (!checked.reads(username.expression, "email")) return;
  const others = [username, ...extra, ...claimRules];
  if (others.some(({ expression }) => checked.reads(expression, "email_verified"))) return;
  at.invalid(
    username.expression,
    "claims.email_verified must be used in claimMappings.username.expression or " +
      "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in " +
      "claimMappings.username.expression",
  );
}

function checkIssuer(issuer: NonNullable<GivenJwt["issuer"]>, at: Field, ownIssuers: readonly string[]): void {
  const { url = "", discoveryURL = "", certificateAuthority = "", egressSelectorType = "" } = issuer;
  if (url === "") at.child("url").required();
  else {
    if (ownIssuers.includes(url)) {
      const own = [...ownIssuers].sort().join(" ");
      at.child("url").invalid(url, `URL must not overlap with disallowed issuers: [${own}]`);
    }
    checkUrl(url, at.child("url"));
  }
  if (discoveryURL !== "") {
    const same = url !== "" && url.replace(/\/+$/, "") === discoveryURL.replace(/\/+$/, "");
    if (same) at.child("discoveryURL").invalid(discoveryURL, "discoveryURL must be different from URL");
    checkUrl(discoveryURL, at.child("discoveryURL"));
  }
  checkAudiences(issuer, at);
  if (certificateAuthority !== "" && !isBundle(certificateAuthority)) {
    at.child("certificateAuthority").invalid("<omitted>", "data does not contain any valid RSA or ECDSA certificates");
  }
  if (egressSelectorType !== "") at.child("egressSelectorType").forbidden("not supported yet");
}

function checkUrl(text: string, at: Field): void {
  if (!URL.canParse(text)) return at.invalid(text, "is no URL");
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== "https:") at.invalid(text, "URL scheme must be https");
  if (username !== "" || password !== "") at.invalid(text, "URL must not contain a username or password");
  if (search !== "") at.invalid(text, "URL must not contain a query");
  if (hash !== "") at.invalid(text, "URL must not contain a fragment");
}

function checkAudiences(
  { audiences = [], audienceMatchPolicy = "" }: NonNullable<GivenJwt["issuer"]>,
  at: Field,
): void {
  const list = at.child("audiences"), policy = at.child("audienceMatchPolicy");
  if (audiences.length === 0) return list.required(`at least one ${list.text} is required`);
  audiences.forEach((audience, i) => {
    if (audience === "") list.index(i).required();
    if (audiences.indexOf(audience) < i) list.index(i).duplicate(audience);
  });
  if (audienceMatchPolicy === "MatchAny") return;
  if (audiences.length > 1) {
    policy.invalid(audienceMatchPolicy, "audienceMatchPolicy must be MatchAny for multiple audiences");
  } else if (audienceMatchPolicy !== "") {
    policy.invalid(audienceMatchPolicy, "audienceMatchPolicy must be empty or MatchAny for single audience");
  }
}

function isBundle(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

function checkClaimRules(
  rules: NonNullable<GivenJwt["claimValidationRules"]>,
  at: Field,
  expressions: ExpressionCheck,
): { requiredClaims: Record<string, string>; claimRules: Rule[] } {
  const requiredClaims: Record<string, string> = {}, claimRules: Rule[] = [];
  rules.forEach(({ claim = "", requiredValue = "", expression = "", message = "" }, i) => {
    const here = at.index(i);
    if (claim !== "" && expression !== "") here.invalid(claim, "claim and expression can't both be set");
    else if (claim !== "") {
      if (message !== "") here.child("message").invalid(message, "may not be specified when claim is set");
      if (claim in requiredClaims) here.child("claim").duplicate(claim);
      requiredClaims[claim] = requiredValue;
    } else if (expression === "") here.required("claim or expression is required");
    else {
      if (requiredValue !== "") {
        here.child("requiredValue").invalid(requiredValue, "may not be specified when expression is set");
      }
      if (claimRules.some((rule) => rule.expression === expression)) here.child("expression").duplicate(expression);
      else expressions.check("compileClaimRule", expression, here.child("expression"));
      claimRules.push({ expression, message });
    }
  });
  return { requiredClaims, claimRules };
}

function checkOptionalMapping(
  given: GivenMapping | undefined,
  at: Field,
  expressions: ExpressionCheck,
): ClaimMapping | undefined {
  return given?.claim || given?.expression ? checkMapping(given, at, expressions) : undefined;
}

function checkMapping(given: GivenMapping, at: Field, expressions: ExpressionCheck): ClaimMapping {
  const { claim = "", prefix, expression = "" } = given;
  if (claim !== "" && expression !== "") at.invalid("", "claim and expression can't both be set");
  else if (expression !== "") {
    if (prefix !== undefined) at.child("prefix").invalid(prefix, "may not be specified when expression is set");
    expressions.check("compileClaimMapping", expression, at.child("expression"));
  } else if (claim === "") at.required("claim or expression is required");
  else if (prefix === undefined) {
    at.child("prefix").required(
      "prefix is required when claim is set. It can be set to an empty string to disable prefixing",
    );
  }
  return { claim, prefix: prefix ?? "", expression };
}

function checkUid(given: GivenMapping | undefined, at: Field, expressions: ExpressionCheck): ClaimMapping | undefined {
  const { claim = "", expression = "" } = given ?? {};
  if (claim !== "" && expression !== "") at.invalid("", "claim and expression can't both be set");
  else if (expression !== "") expressions.check("compileClaimMapping", expression, at.child("expression"));
  return claim === "" && expression === "" ? undefined : { claim, prefix: "", expression };
}

function checkExtra(
  given: readonly { key?: string; valueExpression?: string }[],
  at: Field,
  expressions: ExpressionCheck,
): ExtraMapping[] {
  return given.map(({ key = "", valueExpression = "" }, i) => {
    const here = at.index(i), keyAt = here.child("key");
    validateDomainPrefixedPath(key, keyAt);
    if (key !== key.toLowerCase()) keyAt.invalid(key, "must be lowercase");
    if (/^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key)) {
      keyAt.invalid(key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use");
    }
    if (given.findIndex((other) => other.key === key) < i) keyAt.duplicate(key);
    if (valueExpression === "") here.child("valueExpression").required();
    else expressions.check("compileClaimMapping", valueExpression, here.child("valueExpression"));
    return { key, expression: valueExpression };
  });
}

function checkUserRules(
  given: readonly { expression?: string; message?: string }[],
  at: Field,
  expressions: ExpressionCheck,
): Rule[] {
  return given.map(({ expression = "", message = "" }, i) => {
    const here = at.index(i).child("expression");
    if (expression === "") here.required();
    else if (given.findIndex((other) => other.expression === expression) < i) here.duplicate(expression);
    else expressions.check("compileUserRule", expression, here);
    return { expression, message };
  });
}
