// Line feed and tab separate rows and fields in the search text, so no folded value may hold a control character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is folded away
const CONTROL = /[\u0000-\u001f]/g;

/**
 * Returns the searchable form of a text: lower case by Unicode's rules (not the database's), control
 * characters as blanks.
 */
export const foldCase = (text: string): string => text.toLowerCase().replace(CONTROL, " ");

/** Returns the line of one row in a run's search text, from its address and its name. */
export const searchLine = (address: string, name: string): string => {
  const folded = { address: foldCase(address), name: foldCase(name) };
  return folded.address.includes(folded.name) ? folded.address : `${folded.address}\t${folded.name}`;
};
