import type { Content, KubeconfigSituation } from '../situations.ts'

/** The lines below `cluster`, `user` and `context`, below nothing at all (`top`), and the current context. */
interface Parts {
  readonly cluster?: string
  readonly user?: string
  readonly context?: string
  readonly top?: string
  readonly current?: string
}

/** The server that most situations use, and the authority that it can be trusted by. */
export const SERVER = 'server: https://{{https}}'
export const CLUSTER = `${SERVER}\ncertificate-authority-data: {{root64}}`
export const TOKEN = 'token: tok-1'

function indented(lines: string, by: number): string {
  return lines.replace(/^(?=.)/gm, ' '.repeat(by))
}

/** A kubeconfig of one cluster `c`, one user `u` and one context `x`, which is the current one. */
export function config({
  cluster = CLUSTER,
  user = TOKEN,
  context = 'cluster: c\nuser: u',
  top = '',
  current = 'x',
}: Parts = {}): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster:
${indented(cluster, 4)}
users:
- name: u
  user:
${indented(user, 4)}
contexts:
- name: x
  context:
${indented(context, 4)}
current-context: ${current}
${top}
`
}

type More = Partial<Omit<KubeconfigSituation, 'name'>>

/** A situation of one file. */
export function one(name: string, parts: Parts, more: More = {}): KubeconfigSituation {
  return raw(name, config(parts), more)
}

/** The same, with the file as it is. */
export function raw(name: string, content: Content, more: More = {}): KubeconfigSituation {
  return { name, kubeconfig: ['config'], ...more, files: { config: content, ...more.files } }
}

/** A situation of several files. */
export function several(
  name: string,
  files: Readonly<Record<string, Content>>,
  more: More & Pick<KubeconfigSituation, 'kubeconfig'>,
): KubeconfigSituation {
  return { name, ...more, files }
}
