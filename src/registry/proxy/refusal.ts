// What a backend refused, in the API's own words: k8s.io/apimachinery's generic server response.
import { MESSAGES } from "../../client/answer.ts";
import { badRequestError, internalError, type StatusError, statusError } from "../../machinery/errors.ts";
import { formatGroupResource, type GroupResource } from "../../machinery/types.ts";

/** As everywhere, but that a conflict is no object that is there already. */
const ANSWERS: typeof MESSAGES = { ...MESSAGES, 409: ["Conflict", MESSAGES[409][1]] };

/** @param body the backend's answer as text */
export function refusalOf(code: number, body: string, resource: GroupResource, name: string): StatusError {
  if (code === 500) return internalError(body);
  if (code === 400) return badRequestError(body);
  const [reason, message] = ANSWERS[code] ?? otherAnswer(code, body);
  const about = `( ${formatGroupResource(resource)} ${name})`;
  return statusError(code, reason, `${message || body} ${about}`, { name, kind: resource.resource });
}

function otherAnswer(code: number, body: string): readonly [string, string] {
  if (code < 500) {
    return ["", `the server responded with the status code ${code} but did not return more information`];
  }
  return [
    "InternalError",
    `an error on the server (${JSON.stringify(body)}) has prevented the request from succeeding`,
  ];
}
