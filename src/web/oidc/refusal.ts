/** The HTTP status of each kind of refusal. `unavailable`: the same request may succeed later. */
const STATUS = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  repeated: 409,
  no_open_head: 422,
  unavailable: 503,
} as const;
export type RefusalKind = keyof typeof STATUS;

/** Why an id token gives no access, for the reader of the job's log. It contains no part of a credential. */
export interface Refusal {
  readonly refused: RefusalKind;
  readonly message: string;
  readonly hint: string;
}

export const createRefusal = (refused: RefusalKind, message: string, hint: string): Refusal => ({
  refused,
  message,
  hint,
});

export const isRefusal = (result: object): result is Refusal => "refused" in result;

export const toRefusalResponse = ({ refused, message, hint }: Refusal): Response =>
  Response.json({ message, hint }, { status: STATUS[refused] });
