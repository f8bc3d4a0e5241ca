import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Contract } from '../../../../shared/contract/index.ts'
import { askedRunWords, askedSubject } from '../../../../shared/words/runners.ts'
import { commandTable } from '../arguments/command-table.ts'
import { globalFlags } from '../arguments/global-flags.ts'
import { cleanContract } from '../clean-contract.ts'
import type { CliProcess } from '../process-io.ts'
import { oneLine } from '../words/clean-text.ts'
import { type OfferedWord, type Wanted, wantedAt } from './wanted-at.ts'

/** A shell waits for an answer with its line blocked: a cluster that is slow is not waited for. */
const NAMES_WITHIN_MS = 3_000
/** What lies in clusters is not waited for so long: the runs of the data directory are offered with or without it. */
const ASKED_WITHIN_MS = 2_000

/** What a shell puts on its line as it is: a name that some server told must not become a command there. */
const PLAIN = /^[\w.:@/=+%,-]+$/

/** What a shell is told that should offer files of its own. */
const FILES = ':files'

/**
 * Prints what may stand at the last word, a line each: the word, a tab, what it is. Nothing else is ever printed, and nothing is asked
 * of a cluster whose credential command was not agreed to.
 */
export async function complete(line: readonly string[], io: CliProcess): Promise<void> {
  const wanted = wantedAt(line, commandTable, globalFlags)
  const last = line.at(-1) ?? ''
  if (wanted.kind === 'files') {
    io.out.write(`${FILES}\n`)
    return
  }
  const offered = wanted.kind === 'words' ? wanted.words : await known(wanted, line, io)
  // What stays before the word: the flag that it is attached to, the names before the last comma.
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

/** The data directory that the line names, in either form; a shell does not expand what it hands over. */
function dataDirectoryIn(line: readonly string[], { env, workDirectory }: CliProcess): string | null {
  const at = line.indexOf('--data-dir')
  const given = at === -1 ? line.find(word => word.startsWith(ATTACHED))?.slice(ATTACHED.length) : line[at + 1]
  if (given === undefined || given === '') return null
  return resolve(workDirectory, given.replace(/^~(?=\/|$)/, env.HOME ?? '~'))
}

const ATTACHED = '--data-dir='

async function known(wanted: Wanted, line: readonly string[], io: CliProcess): Promise<readonly OfferedWord[]> {
  const dataDirectory = dataDirectoryIn(line.slice(0, -1), io)
  // One that is not there would be made, by a press of Tab behind a mistyped name.
  if (dataDirectory !== null && !existsSync(dataDirectory)) return wanted.kind === 'either' ? wanted.words : []
  const app = await io.openApp({ dataDirectory, demo: false })
  if (!app.ok) return wanted.kind === 'either' ? wanted.words : []
  const settled = new AbortController()
  try {
    return await Promise.race([
      namesOf(wanted, cleanContract(app.value.contract), io),
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
      const [runs, asked] = await Promise.all([runsOf(contract), askedOf(contract, io)])
      return [...asked, ...runs]
    }
    case 'windows':
      return windowsOf(contract)
    case 'runs-and-windows':
      return [...(await runsOf(contract)), ...(await windowsOf(contract))]
    case 'clusters-and-windows':
      return [...(await namesOf({ kind: 'clusters' }, contract, io)), ...(await windowsOf(contract))]
    case 'either':
      return [...wanted.words, ...(await namesOf(wanted.names, contract, io))]
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

/** MaintenanceRuns that are not begun, where they are read in time. */
async function askedOf(contract: Contract, { clock }: Pick<CliProcess, 'clock'>): Promise<readonly OfferedWord[]> {
  const settled = new AbortController()
  const asked = await Promise.race([
    contract.ask('runner.asked', { cluster: null }),
    clock.sleep(ASKED_WITHIN_MS, settled.signal).then(() => null),
  ])
  settled.abort()
  if (asked === null || !asked.ok) return []
  return asked.value.runs
    .filter(({ runId, over }) => runId === null && !over)
    .map(run => ({ word: run.object, about: `${askedRunWords(run)}, ${askedSubject(run)}` }))
}

async function windowsOf(contract: Contract): Promise<readonly OfferedWord[]> {
  const listed = await contract.ask('window.list', { cluster: null })
  return listed.ok ? listed.value.map(({ window }) => ({ word: window.id, about: window.title })) : []
}
