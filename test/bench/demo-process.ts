import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** `lockkeeper demo`, and the place of its first cloud. */
export async function startDemo() {
  const child = spawn(join(import.meta.dirname, '../../bin/lockkeeper'), ['demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += String(text)
    if (said.includes('demo-edge')) break
  }
  const folder = /kubeconfig +(\S+)\/kubeconfig/.exec(said)?.[1] ?? ''
  const stop = () => child.kill('SIGTERM')
  return { kubeconfig: `${folder}/kubeconfig`, clouds: `${folder}/clouds.yaml`, cloud: 'demo-plain', stop }
}
