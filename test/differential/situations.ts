import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** What a file holds: text in UTF-8, text in another encoding, or bytes as they are. `{{name}}` in a text is replaced by a mark. */
export type Content = string | { readonly text: string; readonly as: Encoding } | Uint8Array

type Encoding = 'utf-8 with a mark' | 'utf-16le' | 'utf-16be' | 'utf-16le without a mark' | 'latin1'

/** Files by their path below the folder of the situation. Those that end in .sh can be run. */
export type Files = Readonly<Record<string, Content>>

/** A set of files that somebody may have, and how they are used. */
export interface Situation {
  readonly name: string
  readonly files: Files
  /** Variables of the environment; nothing else is in it but HOME, which is the folder `home`, and PATH. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A situation of kubectl. */
export interface KubeconfigSituation extends Situation {
  /** The files in KUBECONFIG, in their order; null: none is set. */
  readonly kubeconfig: readonly string[] | null
  /** The requested context; without it the current one. */
  readonly context?: string
}

/** A situation of openstacksdk, which is started in the folder of the situation. */
export interface CloudSituation extends Situation {
  readonly cloud: string
}

/** What stands for addresses and certificates that are only known, or only readable, when the servers run. */
export type Marks = Readonly<Record<string, string>>

const TLS = resolve(import.meta.dirname, 'tls')

/** A certificate or key of the folder `tls`. */
export function pem(name: string): string {
  return readFileSync(join(TLS, `${name}.pem`), 'utf8')
}

const PEMS = {
  root: 'root.cert',
  intermediate: 'intermediate.cert',
  other: 'other.cert',
  server: 'server.cert',
  self: 'self.cert',
  client: 'client.cert',
  'client-key': 'client.key',
  another: 'another.cert',
  'another-key': 'another.key',
  'encrypted-key': 'client-encrypted.key',
}

/** Marks of the certificates: `{{root}}` is its text, `{{root64}}` the same in base64, and the root in the ways that people write it wrong. */
export function certificateMarks(): Marks {
  const root = pem(PEMS.root)
  const root64 = base64(root)
  const lines = root64.match(/.{1,64}/g) ?? []
  return {
    ...Object.fromEntries(
      Object.entries(PEMS).flatMap(([mark, file]) => [
        [mark, pem(file)],
        [`${mark}64`, base64(pem(file))],
      ]),
    ),
    'root-crlf': root.replaceAll('\n', '\r\n'),
    'root-indented': root.trimEnd().replaceAll('\n', '\n      '),
    'root64-lines': lines.join('\n      '),
    'root64-continued': lines.join('\\\n      '),
    'root64-bare': root64.replace(/=+$/, ''),
    'root64-url': base64(`?>~\n${root}`).replaceAll('+', '-').replaceAll('/', '_'),
    'root64-blanks': lines.join(' '),
    root6464: base64(root64),
    'root-broken-key64': base64(withBrokenKey(root)),
    'client-json': pem(PEMS.client).replaceAll('\n', '\\n'),
    'client-key-json': pem(PEMS['client-key']).replaceAll('\n', '\\n'),
    'root-der64': root.replace(/-----[^-]+-----|\s/g, ''),
  }
}

/** The same certificate with a public key that is not on its curve. */
function withBrokenKey(certificate: string): string {
  const der = Buffer.from(certificate.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  const point = der.indexOf(Buffer.from('03420004', 'hex'))
  if (point < 0) throw new Error('the certificate has no key on a curve of 256 bits')
  der[point + 8] = (der[point + 8] ?? 0) ^ 1
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A text with its marks replaced; an unknown mark is a mistake in the table. */
function withMarks(text: string, marks: Marks): string {
  return text.replace(/\{\{([\w.-]+)\}\}/g, (_, name: string) => {
    const value = marks[name]
    if (value === undefined) throw new Error(`no mark ${name}`)
    return value
  })
}

/** An answer with what stands for marks put back, so that it is the same on every machine. */
export function withoutMarks(text: string, marks: Marks): string {
  return Object.entries(marks)
    .sort(([, one], [, other]) => other.length - one.length)
    .reduce((left, [name, value]) => left.replaceAll(value, `{{${name}}}`), text)
}

/** Writes the files of a situation to a new folder; `{{folder}}` is its path. */
export function lay(situation: Situation, marks: Marks): { readonly folder: string; readonly marks: Marks } {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-differential-'))
  const all = { ...marks, folder }
  mkdirSync(join(folder, 'home'))
  for (const [path, content] of Object.entries(situation.files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytesOf(content, all))
    if (path.endsWith('.sh')) chmodSync(file, 0o755)
  }
  return { folder, marks: all }
}

/** Takes the folder away again. */
export function clear(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** The environment of a situation; of this machine's only PATH. */
export function environmentOf(situation: Situation, folder: string, marks: Marks): Record<string, string> {
  const own = Object.entries(situation.environment ?? {}).map(([name, value]) => [name, withMarks(value, marks)])
  return { PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), ...Object.fromEntries(own) }
}

function bytesOf(content: Content, marks: Marks): Uint8Array {
  if (content instanceof Uint8Array) return content
  if (typeof content === 'string') return Buffer.from(withMarks(content, marks))
  const text = withMarks(content.text, marks)
  switch (content.as) {
    case 'utf-8 with a mark':
      return Buffer.from(`\ufeff${text}`)
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le')
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
    case 'utf-16le without a mark':
      return Buffer.from(text, 'utf16le')
    case 'latin1':
      return Buffer.from(text, 'latin1')
  }
}
