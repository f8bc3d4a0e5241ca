/**
 * Asks the real kubectl and the real openstacksdk what the situations of this folder mean, and stores their answers:
 *
 *     node --disable-warning=ExperimentalWarning test/differential/collect.ts [kubectl|openstacksdk]
 *
 * As root on Linux: it has a network of its own, in which names and addresses of the situations are this machine. KUBECTL and PYTHON name other programs.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeAnswers } from './answers.ts'
import { askKubectl, kubectlVersion } from './ask-kubectl.ts'
import { askSdk } from './ask-openstacksdk.ts'
import { CLOUDS } from './clouds/all.ts'
import { KUBECONFIGS } from './kubeconfigs/all.ts'

const HOSTS = '127.0.0.1 localhost api.example.test keystone.example.test\n::1 localhost\n'

/** Starts this file again in a network and with a table of hosts of its own. */
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

async function collect(which: readonly string[]): Promise<void> {
  const wanted = (name: string) => which.length === 0 || which.includes(name)
  if (wanted('kubectl')) {
    const kubectl = process.env.KUBECTL ?? 'kubectl'
    const answers = await askKubectl(kubectl, KUBECONFIGS, '::')
    storeAnswers('kubectl', { by: await kubectlVersion(kubectl), answers })
  }
  if (wanted('openstacksdk'))
    storeAnswers('openstacksdk', await askSdk(process.env.PYTHON ?? '/usr/bin/python3', CLOUDS, '::'))
}

const args = process.argv.slice(2)
if (args.includes('--inside')) await collect(args.filter(arg => !arg.startsWith('--')))
else process.exitCode = inOwnNetwork(args)
