/** Returns the URL at which this machine reaches a server that listens on `host`. */
export const formatOwnAddress = (host: string | null, port: number): string => {
  const everywhere = host === null || host === "0.0.0.0" || host === "::";
  const name = host?.includes(":") ? `[${host}]` : host;
  return `http://${everywhere ? "127.0.0.1" : name}:${port}`;
};

/** Returns the URLs at which this machine may name its own server. */
export const listOwnUrls = ({ port }: { readonly port: number }): readonly string[] => [
  `http://127.0.0.1:${port}`,
  `http://localhost:${port}`,
];
