import { resolve } from 'node:path'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { SignalEndpoint } from '../../../../shared/domain/signals.ts'
import type { CommandContext } from '../../../faces/cli/command.ts'
import { readSecret } from './read-secret.ts'

/** The address and login in the flags, and the secret if one was given. Settings without a flag keep their values. */
export async function endpointFlags(
  earlier: SignalEndpoint | null,
  { args, io }: Pick<CommandContext, 'args' | 'io'>,
): Promise<Result<{ readonly endpoint: SignalEndpoint; readonly secret: string | null }>> {
  const refuse = (words: string) => failed(failure('bad-input', words))
  const [token, user, password] = [args.text('token-file'), args.text('user'), args.text('password-file')]
  if (token !== null && (user !== null || password !== null))
    return refuse('--token-file and --user contradict each other.')
  if (args.isSet('no-login') && (token !== null || user !== null || password !== null)) {
    return refuse('--no-login contradicts --token-file, --user and --password-file.')
  }
  const url = args.text('url') ?? earlier?.url
  if (url === undefined) return refuse('Give its address: --url URL.')
  const login = loginOf(earlier, { without: args.isSet('no-login'), token, user })
  if (password !== null && login.kind !== 'basic') return refuse('--password-file needs --user.')
  const file = token ?? password
  const secret = file === null ? ok(null) : await readSecret(file, io, new AbortController().signal)
  if (!secret.ok) return secret
  const ca = args.text('ca-file')
  const caFile = ca === null ? (earlier?.caFile ?? null) : ca === 'none' ? null : resolve(io.workDirectory, ca)
  return ok({ endpoint: { url, login, caFile }, secret: secret.value })
}

function loginOf(
  earlier: SignalEndpoint | null,
  { without, token, user }: { readonly without: boolean; readonly token: string | null; readonly user: string | null },
): SignalEndpoint['login'] {
  if (without) return { kind: 'none' }
  if (token !== null) return { kind: 'bearer' }
  if (user !== null) return { kind: 'basic', user }
  return earlier?.login ?? { kind: 'none' }
}
