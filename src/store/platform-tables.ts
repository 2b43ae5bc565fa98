/** The tables of the embedded platform; rows are keyed by account id. */
// biome-ignore lint/suspicious/noEmptyInterface: the embedded platform adds its tables here
export interface PlatformTables {}
