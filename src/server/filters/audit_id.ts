// Every request has an id, taken from its Audit-ID header or made here, and told in the answer's.
import { afterwards, type Filter } from "./filter.ts";

const HEADER = "audit-id";
const LONGEST = 64;

export function auditId(): Filter {
  return (c, next) => {
    const given = c.req.raw.headers.get(HEADER);
    const id = given === null || given === "" ? crypto.randomUUID() : given.slice(0, LONGEST);
    c.set("auditId", id);
    c.set("auditAnnotations", new Map());
    return afterwards(next(), () => c.res.headers.set(HEADER, id));
  };
}
