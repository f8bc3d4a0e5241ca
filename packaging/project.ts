import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { description, license, author, homepage } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as {
  readonly description: string
  readonly license: string
  readonly author: { readonly name: string; readonly email: string }
  readonly homepage: string
}

/** What every package says of the project, as package.json has it. */
export const PROJECT = {
  description,
  license,
  maintainer: `${author.name} <${author.email}>`,
  maintainers: author.name,
  homepage,
} as const

/** What Lockkeeper does, for package catalogues: one sentence, and a second. */
export const ABOUT = [
  'Lockkeeper checks a node, shows what will happen to each instance, pod and disk, moves the instances away, drains the node, asks the cloud itself whether it is really empty, and brings it back.',
  'Whatever interrupts it, it resumes where it was, and does nothing twice.',
] as const

/** The flags with which Node runs the terminal, as in bin/lockkeeper and launcher.sh, which choose a smaller nursery for what stays. */
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
] as const
