import type { CloudSituation, Content, Files } from '../situations.ts'

/** The login that most situations use. */
export const AUTH = `auth:
  auth_url: http://{{http}}/v3
  username: admin
  password: invented
  project_name: ops
  user_domain_name: Default
  project_domain_name: Default`

function indented(lines: string, by: number): string {
  return lines.replace(/^(?=.)/gm, ' '.repeat(by))
}

/** A clouds.yaml with the cloud `c`, in a region of the two that the catalogue has, unless its lines are about regions. */
export function cloudsFile(lines: string): string {
  const region = /region|profile:|^cloud:/m.test(lines) ? '' : '\nregion_name: RegionOne'
  return `clouds:\n  c:\n${indented(`${lines}${region}`, 4)}\n`
}

type More = Partial<Omit<CloudSituation, 'name'>>

/** The cloud `c` with these settings beside the usual login. */
export function cloud(name: string, lines: string, more: More = {}): CloudSituation {
  return bare(name, lines === '' ? AUTH : `${AUTH}\n${lines}`, more)
}

/** The cloud `c` with these settings alone. */
export function bare(name: string, lines: string, more: More = {}): CloudSituation {
  return file(name, cloudsFile(lines), more)
}

/** A cloud whose `auth` has these lines and the address. */
export function login(name: string, lines: string, more: More & { readonly beside?: string } = {}): CloudSituation {
  const { beside = '', ...rest } = more
  return bare(
    name,
    `${beside === '' ? '' : `${beside}\n`}auth:\n  auth_url: http://{{http}}/v3\n${indented(lines, 2)}`,
    rest,
  )
}

/** A clouds.yaml as it is. */
export function file(name: string, content: Content, more: More = {}): CloudSituation {
  return files(name, { 'clouds.yaml': content, ...more.files }, more)
}

/** Files as they are. */
export function files(name: string, all: Files, more: More = {}): CloudSituation {
  return { name, cloud: 'c', ...more, files: all }
}
