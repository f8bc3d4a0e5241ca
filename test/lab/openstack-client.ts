import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { LAB_OPENSTACK } from './lab-places.ts'

const Answer = z.object({ id: z.number(), code: z.number(), out: z.string(), err: z.string() })

/** The client of this process, and who waits for an answer of it. */
let client: ChildProcess | null = null
const waiting = new Map<number, (answer: z.infer<typeof Answer> | null) => void>()
let asked = 0

/** What the `openstack` client that belongs to the lab's cloud says, as one of the clouds of clouds.yaml: the referee of every test here. */
export async function openstackClient(cloud: string, ...args: readonly string[]): Promise<string> {
  client ??= startClient()
  asked += 1
  const id = asked
  const answered = new Promise<z.infer<typeof Answer> | null>(resolve => waiting.set(id, resolve))
  client.stdin?.write(`${JSON.stringify({ id, cloud, args })}\n`)
  const answer = await answered
  const command = `openstack ${args.join(' ')}`
  if (answer === null) throw new Error(`The client ended without an answer to: ${command}`)
  if (answer.code !== 0) throw new Error(`${command}: ${answer.err}`)
  return answer.out
}

/** Loaded once for all commands of a test file (openstack/many_commands.py); it ends with the process that started it. */
function startClient(): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, LOCKKEEPER_LAB_OPENSTACK: LAB_OPENSTACK }
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  const child = spawn(join(import.meta.dirname, 'openstack', 'many-commands.sh'), [], { env, stdio: [...stdio] })
  createInterface({ input: child.stdout }).on('line', line => {
    const answer = Answer.parse(JSON.parse(line))
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  child.on('close', () => {
    client = null
    for (const end of waiting.values()) end(null)
    waiting.clear()
  })
  child.unref()
  return child
}
