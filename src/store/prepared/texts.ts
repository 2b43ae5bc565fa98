/** A longer text is seldom executed twice; in characters. */
const MAX_TEXT = 16_384;

const IS_STATEMENT = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Whether a statement's text is prepared when it is executed again: what changes the schema or a setting is not. */
export const isPrepared = (text: string): boolean => text.length <= MAX_TEXT && IS_STATEMENT.test(text);
