import type { Mail } from '../../../../shared/domain/mail.ts'

/** A mail (RFC 5322) as it is sent or kept in a file. No subject can begin another line. */
export async function mailFile({ from, to, subject, text, at, id }: Mail): Promise<Buffer> {
  // Only what sends or keeps a mail loads it.
  const [{ default: MailComposer }, { encodeWord }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ])
  const address = (plain: string) => ({ name: '', address: plain })
  const mail = new MailComposer({
    ...(from === null ? {} : { from: address(from) }),
    to: to.map(address),
    // Always encoded, so that a subject that looks encoded arrives unchanged.
    subject: encodeWord(subject, 'B', 52),
    text: { content: Buffer.from(text.replaceAll(/\r\n?|\n/g, '\r\n')), contentTransferEncoding: 'base64' },
    date: new Date(at),
    ...(id === null ? {} : { messageId: `<${id}>` }),
    headers: { 'Auto-Submitted': 'auto-generated', ...(id === null ? { 'X-Unsent': '1' } : {}) },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}
