import type { Token } from "../../../store/tokens.ts";

/**
 * Returns a numeric id of the caller: the platform has tokens instead of users. Derived from the token's
 * public id, so it is stable.
 */
export const getPrincipalNumber = ({ id }: Pick<Token, "id">): number => Number.parseInt(id.slice(0, 12), 16);

/** Returns the principal of an event for payloads. Members that a token does not have are omitted. */
export const buildPrincipal = (token: Pick<Token, "id">) => ({
  id: getPrincipalNumber(token),
  uid: `token-${token.id}`,
  display_name: `token ${token.id}`,
  email: "",
  type: "serviceaccount",
});
