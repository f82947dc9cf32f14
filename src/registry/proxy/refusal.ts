// What a backend refused, in the API's own words: k8s.io/apimachinery's generic server response.
import { badRequestError, internalError, type StatusError, statusError } from "../../machinery/errors.ts";
import { formatGroupResource, type GroupResource } from "../../machinery/types.ts";

/** Code → reason and message; an empty message stands for the backend's own. */
const ANSWERS: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  403: ["Forbidden", ""],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  406: ["NotAcceptable", ""],
  409: ["Conflict", "the server reported a conflict"],
  415: ["UnsupportedMediaType", ""],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: [
    "Timeout",
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
};

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
