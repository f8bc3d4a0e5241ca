import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Contract } from '../../../../shared/contract/index.ts'
import { globalFlags } from '../arguments/global-flags.ts'
import { cleanContract } from '../clean-contract.ts'
import type { OfferedWord, Parts } from '../command.ts'
import type { CliProcess } from '../process-io.ts'
import type { Terminal } from '../terminal.ts'
import { oneLine } from '../words/clean-text.ts'
import { type Wanted, wantedAt } from './wanted-at.ts'

/** The shell blocks its line while it waits, so a slow cluster is not worth waiting for. */
const NAMES_WITHIN_MS = 3_000
/** Shorter limit for what runners must read; runs of the data directory are offered in any case. */
const ASKED_WITHIN_MS = 2_000

/** Only such words are offered: the shell inserts them unquoted, and a name from a server must not become a command. */
const PLAIN = /^[\w.:@/=+%,-]+$/

/** Makes the shell offer its own file names. */
const FILES = ':files'

/** Prints possible last words, one per line: word, tab, description. Prints nothing else, and connects to no cluster whose credential command has no consent. */
export async function complete(line: readonly string[], { commands, parts }: Terminal, io: CliProcess): Promise<void> {
  const wanted = wantedAt(line, commands, globalFlags)
  const last = line.at(-1) ?? ''
  if (wanted.kind === 'files') {
    io.out.write(`${FILES}\n`)
    return
  }
  const offered = wanted.kind === 'words' ? wanted.words : await known(wanted, line, parts, io)
  // The part before the word: the flag that it is attached to, and the names before the last comma.
  const flag = /^--[^=]+=/.exec(last)?.[0] ?? ''
  const several = wanted.kind === 'nodes' && wanted.several
  const names = several ? last.slice(flag.length, last.lastIndexOf(',') + 1) : ''
  const named = names.split(',')
  for (const { word, about } of offered) {
    const whole = `${flag}${names}${word}`
    if (whole.startsWith(last) && PLAIN.test(whole) && !named.includes(word))
      io.out.write(`${whole}\t${oneLine(about)}\n`)
  }
}

/** The data directory named on the line, in either form; the shell has not expanded it. */
function dataDirectoryIn(line: readonly string[], { env, workDirectory }: CliProcess): string | null {
  const at = line.indexOf('--data-dir')
  const given = at === -1 ? line.find(word => word.startsWith(ATTACHED))?.slice(ATTACHED.length) : line[at + 1]
  if (given === undefined || given === '') return null
  return resolve(workDirectory, given.replace(/^~(?=\/|$)/, env.HOME ?? '~'))
}

const ATTACHED = '--data-dir='

async function known(
  wanted: Wanted,
  line: readonly string[],
  parts: Parts,
  io: CliProcess,
): Promise<readonly OfferedWord[]> {
  const dataDirectory = dataDirectoryIn(line.slice(0, -1), io)
  // Opening the application would create a mistyped folder.
  if (dataDirectory !== null && !existsSync(dataDirectory)) return wanted.kind === 'either' ? wanted.words : []
  const app = await io.openApp({ dataDirectory, demo: false })
  if (!app.ok) return wanted.kind === 'either' ? wanted.words : []
  const settled = new AbortController()
  try {
    return await Promise.race([
      namesOf(wanted, cleanContract(app.value.contract), parts, io),
      io.clock.sleep(NAMES_WITHIN_MS, settled.signal).then((): readonly OfferedWord[] => []),
    ])
  } finally {
    settled.abort()
    await app.value.close()
  }
}

async function namesOf(
  wanted: Wanted,
  contract: Contract,
  parts: Parts,
  io: Pick<CliProcess, 'clock'>,
): Promise<readonly OfferedWord[]> {
  switch (wanted.kind) {
    case 'clusters': {
      const listed = await contract.ask('cluster.list', {})
      return listed.ok ? listed.value.map(({ name, flavour }) => ({ word: name, about: flavour })) : []
    }
    case 'nodes':
      return nodesOf(wanted.cluster, contract)
    case 'runs':
      return runsOf(contract)
    case 'runs-and-asked': {
      const [runs, asked] = await Promise.all([runsOf(contract), askedOf(contract, parts, io)])
      return [...asked, ...runs]
    }
    case 'windows':
      return windowsOf(contract)
    case 'runs-and-windows':
      return [...(await runsOf(contract)), ...(await windowsOf(contract))]
    case 'clusters-and-windows':
      return [...(await namesOf({ kind: 'clusters' }, contract, parts, io)), ...(await windowsOf(contract))]
    case 'either':
      return [...wanted.words, ...(await namesOf(wanted.names, contract, parts, io))]
    case 'words':
      return wanted.words
    case 'files':
      return []
  }
}

async function nodesOf(cluster: string, contract: Contract): Promise<readonly OfferedWord[]> {
  const plugin = await contract.ask('cluster.exec-plugin', { name: cluster })
  if (!plugin.ok || (plugin.value !== null && !plugin.value.consented)) return []
  const connected = await contract.ask('cluster.connect', { name: cluster })
  if (!connected.ok) return []
  const listed = await contract.ask('node.list', { cluster })
  return listed.ok ? listed.value.nodes.map(({ name, roles }) => ({ word: name, about: roles.join(', ') })) : []
}

async function runsOf(contract: Contract): Promise<readonly OfferedWord[]> {
  const listed = await contract.ask('run.list', { cluster: null })
  if (!listed.ok) return []
  return listed.value.map(({ id, kind, cluster, node }) => ({ word: id, about: `${kind} ${cluster} ${node ?? ''}` }))
}

/** Requests to runners that have not started, if they can be read in time. */
async function askedOf(
  contract: Contract,
  { runners }: Parts,
  { clock }: Pick<CliProcess, 'clock'>,
): Promise<readonly OfferedWord[]> {
  if (runners === null) return []
  const settled = new AbortController()
  const asked = await Promise.race([
    runners.requestNames(contract),
    clock.sleep(ASKED_WITHIN_MS, settled.signal).then((): readonly OfferedWord[] => []),
  ])
  settled.abort()
  return asked
}

async function windowsOf(contract: Contract): Promise<readonly OfferedWord[]> {
  const listed = await contract.ask('window.list', { cluster: null })
  return listed.ok ? listed.value.map(({ window }) => ({ word: window.id, about: window.title })) : []
}
