// Names of properties as they are written in expressions: `my-name` is `my__dash__name` (KEP-2876, "escaping").

const RESERVED = new Set(
  ("true false null in as break const continue else for function if import let loop package namespace return var " +
    "void while").split(" "),
);

const ESCAPES: Record<string, string> = {
  "__": "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** Whether a name is one that variables cannot have; fields may be written so although they are known by another. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Undefined for a name that expressions cannot have. */
export function escapeName(name: string): string | undefined {
  if (name === "" || /^[0-9]/.test(name) || !/^[a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (part) => ESCAPES[part]);
}
