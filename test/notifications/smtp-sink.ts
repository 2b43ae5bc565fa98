import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they were sent. */
  readonly raw: string;
  readonly user: string | undefined;
}

export interface SmtpSink {
  /** `smtp://` with the user and password that it accepts. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Refuses recipients from now on with this status. */
  refuses(status: number): void;
  close(): Promise<void>;
}

/** A mail server on loopback that stores what it receives. */
export async function startSmtpSink(host = "127.0.0.1"): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === "pass word" ? done(null, { user: username ?? "" }) : done(new Error("wrong password")),
    onRcptTo: (_address, _session, done) =>
      refusal === null
        ? done()
        : done(Object.assign(new Error("refused <secret detail>"), { responseCode: refusal })),
    onData: (stream, session, done) => {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString(),
          user: session.user,
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://tollgate:pass%20word@${host}:${port}`,
    mails,
    refuses: (status) => {
      refusal = status;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
