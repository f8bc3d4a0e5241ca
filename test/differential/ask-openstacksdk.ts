import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { SdkAnswer } from './answers.ts'
import { localKeystone } from './local-keystone.ts'
import { startServers } from './local-servers.ts'
import { type CloudSituation, clear, environmentOf, lay, withoutMarks } from './situations.ts'

/** Asks openstacksdk what each situation means, and lets it log in; `host` is where the servers listen. */
export async function askSdk(
  python: string,
  situations: readonly CloudSituation[],
  host: string,
): Promise<{ readonly by: string; readonly answers: Record<string, SdkAnswer> }> {
  const keystone = localKeystone()
  const servers = await startServers(keystone.answer, host)
  const child = spawn(python, [resolve(import.meta.dirname, 'ask-openstacksdk.py')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answers: Record<string, SdkAnswer> = {}
  try {
    const version = await lines.next()
    for (const situation of situations) {
      const { folder, marks } = lay(situation, servers.marks)
      const asked = { folder, cloud: situation.cloud, environment: environmentOf(situation, folder, marks) }
      child.stdin.write(`${JSON.stringify(asked)}\n`)
      const line = await lines.next()
      const proxy = servers.take().arrivals.find(({ method }) => method === 'POST')?.proxy ?? null
      const login = keystone.taken()[0]
      const said = JSON.parse((line.value ?? '').replace(/0x[0-9a-f]{6,}/g, '0x')) as Omit<SdkAnswer, 'login'>
      const answer = { login: login === undefined ? null : { ...login, proxy: proxy?.kind ?? null }, ...said }
      answers[situation.name] = JSON.parse(withoutMarks(JSON.stringify(answer), marks)) as SdkAnswer
      clear(folder)
    }
    return { by: `openstacksdk ${version.value}`, answers }
  } finally {
    child.stdin.end()
    await servers.close()
  }
}
