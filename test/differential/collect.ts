/**
 * Collects what the situations of this folder mean to the real kubectl and the real openstacksdk, and stores the
 * answers:
 * node --disable-warning=ExperimentalWarning test/differential/collect.ts [kubectl|openstacksdk] [--missing]
 * Needs root on Linux: it makes another network, in which names and addresses of the situations are this machine.
 * KUBECTL and PYTHON name other programs. `--missing` collects new situations only.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answers, storeAnswers, storedAnswers } from './answers.ts'
import { askKubectl, kubectlVersion } from './ask-kubectl.ts'
import { askSdk } from './ask-openstacksdk.ts'
import { CLOUDS } from './clouds/all.ts'
import { KUBECONFIGS } from './kubeconfigs/all.ts'
import type { Situation } from './situations.ts'

const HOSTS = '127.0.0.1 localhost api.example.test keystone.example.test\n::1 localhost\n'

/** Starts this file again in another network with another table of hosts. */
function inOwnNetwork(args: readonly string[]): number {
  const hosts = join(tmpdir(), `lockkeeper-hosts-${process.pid}`)
  writeFileSync(hosts, HOSTS)
  const prepare = [
    'set -e',
    'ip link set lo up',
    'ip addr add 10.20.0.5/32 dev lo',
    'ip -6 addr add fd00:20::5/128 dev lo',
    `mount --bind ${hosts} /etc/hosts`,
    `rm ${hosts} 2>/dev/null || true`,
    'exec "$0" "$@"',
  ].join('\n')
  const again = [process.execPath, ...process.execArgv, import.meta.filename, '--inside', ...args]
  const { status } = spawnSync('unshare', ['-n', '-m', 'bash', '-c', prepare, ...again], { stdio: 'inherit' })
  return status ?? 1
}

/** The situations to collect, and the stored answers of the others; answers of removed situations are dropped. */
function toAsk<S extends Situation, A>(situations: readonly S[], known: Answers<A>, isMissingOnly: boolean) {
  const kept = new Map(isMissingOnly ? Object.entries(known.answers) : [])
  return {
    asked: situations.filter(({ name }) => !kept.has(name)),
    withKnown: (answers: Readonly<Record<string, A>>) =>
      Object.fromEntries(situations.map(({ name }) => [name, answers[name] ?? kept.get(name)])),
  }
}

async function collect(which: readonly string[], isMissingOnly: boolean): Promise<void> {
  const wanted = (name: string) => which.length === 0 || which.includes(name)
  if (wanted('kubectl')) {
    const kubectl = process.env.KUBECTL ?? 'kubectl'
    const { asked, withKnown } = toAsk(KUBECONFIGS, storedAnswers('kubectl'), isMissingOnly)
    const answers = withKnown(await askKubectl(kubectl, asked, '::'))
    storeAnswers('kubectl', { by: await kubectlVersion(kubectl), answers })
  }
  if (wanted('openstacksdk')) {
    const { asked, withKnown } = toAsk(CLOUDS, storedAnswers('openstacksdk'), isMissingOnly)
    const { by, answers } = await askSdk(process.env.PYTHON ?? '/usr/bin/python3', asked, '::')
    storeAnswers('openstacksdk', { by, answers: withKnown(answers) })
  }
}

const args = process.argv.slice(2)
if (args.includes('--inside')) {
  await collect(
    args.filter(arg => !arg.startsWith('--')),
    args.includes('--missing'),
  )
} else process.exitCode = inOwnNetwork(args)
