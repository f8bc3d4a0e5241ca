import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Arrival } from './local-servers.ts'

/** What came of asking for /version: it arrived; a connection was tried and no request came through; nothing was tried. */
type Outcome = 'arrived' | 'no request came through' | 'nothing was tried'

/** What kubectl made of a situation. */
export interface KubectlAnswer {
  /** What `kubectl config view --raw --minify` says of the cluster, the user and the namespace; null: it refused. */
  readonly view: { readonly cluster: object; readonly user: object; readonly namespace: string | null } | null
  readonly outcome: Outcome
  readonly arrival: Arrival | null
  /** What it said where it refused or failed. */
  readonly said: string | null
}

/** What openstacksdk made of a situation. */
export interface SdkAnswer {
  /** The request for a token; null: none was sent. */
  readonly login: { readonly path: string; readonly proxy: string | null; readonly body: unknown } | null
  /** What the session would use; null: the cloud could not be read. */
  readonly cloud: {
    readonly region: string | null
    readonly interface: unknown
    readonly verify: unknown
    readonly cert: unknown
    readonly proxy: string | null
    readonly computeMicroversion: string | null
    readonly endpoints: Readonly<Record<string, string | null>>
  } | null
  readonly said: string | null
}

/** The answers of one program. */
export interface Answers<Answer> {
  readonly by: string
  readonly answers: Readonly<Record<string, Answer>>
}

const FOLDER = resolve(import.meta.dirname, 'answers')

/** What a program answered when it was asked last. */
export function storedAnswers(of: 'kubectl'): Answers<KubectlAnswer>
export function storedAnswers(of: 'openstacksdk'): Answers<SdkAnswer>
export function storedAnswers(of: string): Answers<unknown> {
  const file = resolve(FOLDER, `${of}.json`)
  if (!existsSync(file)) return { by: '', answers: {} }
  return JSON.parse(readFileSync(file, 'utf8')) as Answers<unknown>
}

/** Writes one answer a line, so that a change of one is one line of a diff. */
export function storeAnswers(of: 'kubectl' | 'openstacksdk', { by, answers }: Answers<unknown>): void {
  const lines = Object.entries(answers).map(
    ([name, answer]) => `    ${JSON.stringify(name)}: ${JSON.stringify(answer)}`,
  )
  writeFileSync(
    resolve(FOLDER, `${of}.json`),
    `{\n  "by": ${JSON.stringify(by)},\n  "answers": {\n${lines.join(',\n')}\n  }\n}\n`,
  )
}

/** Normalizes an arrival: the order of headers and the case of a looked-up name do not matter. */
export function inOneForm(arrival: Arrival | null): Arrival | null {
  if (arrival === null) return null
  const impersonate = Object.entries(arrival.impersonate).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    ...arrival,
    serverName: arrival.serverName?.toLowerCase() ?? null,
    impersonate: Object.fromEntries(impersonate),
  }
}
