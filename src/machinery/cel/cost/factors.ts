// The numbers of the cost model (cel-go's and Kubernetes' published limits), in cost units.

/** For each character of a text that is gone through. */
export const TRAVERSAL = 0.1;
/** For each character of a regular expression. */
export const REGEX_LENGTH = 0.25;
export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
export const STRUCT_CREATION = 40;

/** What one evaluation may cost. */
export const CALL_LIMIT = 1_000_000;
/** What all rules may cost together for one object. */
export const OBJECT_BUDGET = 10_000_000;
/** What one rule may be estimated to cost at most, over all its uses in an object. */
export const RULE_ESTIMATE_LIMIT = 10_000_000;
/** What all rules of a schema may be estimated to cost together. */
export const SCHEMA_ESTIMATE_LIMIT = 100_000_000;
/** The largest request in bytes. */
export const MAX_REQUEST = 3 * 1024 * 1024;
/** The longest message that an expression may make, in bytes. */
export const MAX_MESSAGE = 5 * 1024;
