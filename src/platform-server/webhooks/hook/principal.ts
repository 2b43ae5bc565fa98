import type { Token } from "../../../store/tokens.ts";

/** A number for who calls: the platform knows tokens, no persons. Made of the token's public id, so it stays the same. */
export const getPrincipalNumber = ({ id }: Pick<Token, "id">): number => Number.parseInt(id.slice(0, 12), 16);

/** Who caused an event, as payloads name it. What a token does not have is left out. */
export const buildPrincipal = (token: Pick<Token, "id">) => ({
  id: getPrincipalNumber(token),
  uid: `token-${token.id}`,
  display_name: `token ${token.id}`,
  email: "",
  type: "serviceaccount",
});
