import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { KubectlAnswer } from './answers.ts'
import { startServers } from './local-servers.ts'
import { clear, environmentOf, type KubeconfigSituation, lay, withoutMarks } from './situations.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString('utf8')
    })
    child.stderr.on('data', (part: Buffer) => {
      err += part.toString('utf8')
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, out, err }))
  })
}

/** Which kubectl it is. */
export async function kubectlVersion(kubectl: string): Promise<string> {
  const { out } = await run(kubectl, ['version', '--client', '-o', 'json'], { cwd: '/', env: {} })
  return `kubectl ${JSON.parse(out).clientVersion.gitVersion}`
}

/** The variable KUBECONFIG of a situation. */
export function kubeconfigVariable({ kubeconfig }: KubeconfigSituation, folder: string): Record<string, string> {
  if (kubeconfig === null) return {}
  return { KUBECONFIG: kubeconfig.map(path => (path === '' ? '' : join(folder, path))).join(':') }
}

/** Asks kubectl what each situation means, and lets it ask for /version; `host` is where the servers listen. */
export async function askKubectl(
  kubectl: string,
  situations: readonly KubeconfigSituation[],
  host: string,
): Promise<Record<string, KubectlAnswer>> {
  const servers = await startServers(undefined, host)
  const answers: Record<string, KubectlAnswer> = {}
  try {
    for (const situation of situations) {
      const { folder, marks } = lay(situation, servers.marks)
      const env = { ...kubeconfigVariable(situation, folder), ...environmentOf(situation, folder, marks) }
      const options = { cwd: folder, env }
      const context = situation.context === undefined ? [] : ['--context', situation.context]
      const view = await run(kubectl, ['config', 'view', '--raw', '--minify', '-o', 'json', ...context], options)
      servers.take()
      const get = await run(kubectl, ['get', '--raw', '/version', '--request-timeout', '5s', ...context], options)
      const { arrivals, contacts } = servers.take()
      // `get --raw` leaves out the path of the server's address, which every other command of kubectl keeps.
      await run(kubectl, ['version', '-o', 'json', '--request-timeout', '5s', ...context], options)
      const path = servers.take().arrivals[0]?.path ?? ''
      const arrival = arrivals[0] === undefined ? null : { ...arrivals[0], path: path.replace(/\?.*/s, '') }
      const said = [view.code === 0 ? '' : view.err, get.code === 0 ? '' : get.err].filter(text => text !== '')
      const answer: KubectlAnswer = {
        view: view.code === 0 ? viewOf(view.out) : null,
        outcome: arrival !== null ? 'arrived' : contacts > 0 ? 'no request came through' : 'nothing was tried',
        arrival,
        said: said.length === 0 ? null : [...new Set(said)].join('').replace(/(^|\n)[EIW]\d{4} [\d:.]+ +\d+ /g, '$1'),
      }
      answers[situation.name] = JSON.parse(withoutMarks(JSON.stringify(answer), escaped(marks))) as KubectlAnswer
      clear(folder)
    }
  } finally {
    await servers.close()
  }
  return answers
}

/** As texts stand in JSON. */
function escaped(marks: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(marks).map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)]))
}

function viewOf(out: string): KubectlAnswer['view'] {
  const read = JSON.parse(out)
  return {
    cluster: read.clusters?.[0]?.cluster ?? {},
    user: read.users?.[0]?.user ?? {},
    namespace: read.contexts?.[0]?.context?.namespace ?? null,
  }
}
