// Line feed and tab separate values in texts that are searched, so no folded value may hold a control character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is folded away
const CONTROL = /[\u0000-\u001f]/g;

/** Returns the searchable form of a text: lower case by Unicode's rules (not the database's), control characters as blanks. */
export const foldCase = (text: string): string => text.toLowerCase().replace(CONTROL, " ");
