import { createHash } from 'node:crypto'
import type { RequestInput } from '../../../shared/contract/index.ts'
import type { OwnerMessage, OwnerMessages, SentMessage } from '../../../shared/domain/mail.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Handlers } from '../../api/serve.ts'
import type { ApiServices } from '../../api/services.ts'
import { createOwnersReader } from '../../windows/owners.ts'
import { createWindowReader } from '../../windows/window-reader.ts'
import { whyEnded } from '../../windows/window-rules.ts'
import { NO_ADDRESSES, readAddressBook } from './mail/address-book.ts'
import type { MailStore } from './mail/mail-settings.ts'
import { notifyOwners } from './mail/notify-owners.ts'
import { ownerMessages } from './mail/owner-messages.ts'
import type { SendMail } from './ports/mail.ts'

export type MailHandlers = Pick<Handlers, 'mail.show' | 'mail.change' | 'window.messages' | 'window.notify'>

type MailServices = Pick<ApiServices, 'clock' | 'emit' | 'log' | 'newId' | 'runs' | 'windows' | 'worlds'> & {
  readonly mail: { readonly store: MailStore; readonly send: SendMail }
}

/** The messages of a window, and the window itself. */
interface WindowMessages {
  readonly window: MaintenanceWindow
  readonly made: OwnerMessages
}

/** Requests about mail to the owners of instances. */
export function mailHandlers(services: MailServices): MailHandlers {
  const { store } = services.mail
  const findWindow = createWindowReader(services).find
  const owners = createOwnersReader(services)
  const messagesOf = (id: string) => readMessages(id, findWindow, owners, services)
  return {
    'mail.show': async () => {
      const shown = store.show()
      return shown.ok ? ok(shown.value === null ? null : { ...shown.value }) : shown
    },
    'mail.change': async ({ settings, password }) => {
      if (settings.addresses !== null) {
        const readable = await readAddressBook(settings.addresses)
        if (!readable.ok) return readable
      }
      const changed = store.change(settings, password ?? null)
      return changed.ok ? ok({}) : changed
    },
    'window.messages': async ({ id }) => {
      const found = await messagesOf(id)
      return found.ok ? ok(found.value.made) : found
    },
    'window.notify': async ({ id, ...wish }) => {
      const found = await messagesOf(id)
      return found.ok ? sendMessages(found.value, wish, services) : found
    },
  }
}

async function readMessages(
  id: string,
  findWindow: ReturnType<typeof createWindowReader>['find'],
  owners: ReturnType<typeof createOwnersReader>,
  { mail, windows }: MailServices,
): Promise<Result<WindowMessages>> {
  const found = findWindow(id)
  if (!found.ok) return found
  const { window } = found.value
  const stored = mail.store.show()
  if (!stored.ok) return stored
  const path = stored.value?.settings.addresses ?? null
  const addresses = path === null ? ok(NO_ADDRESSES) : await readAddressBook(path)
  if (!addresses.ok) return addresses
  const listed = await owners(window.cluster, window.plan, window)
  if (!listed.ok) return listed
  const events = windows.events(window.id)
  if (!events.ok) return events
  const messages = [...ownerMessages(window, listed.value, addresses.value.of, events.value)]
  const digest = hashOf(messages.map(digestOf))
  return ok({ window, made: { messages, digest, unreachable: listed.value.unreachable } })
}

/** Sends the messages that the operator saw, by their digest; `again`: also those that were sent before. */
async function sendMessages(
  { window, made }: WindowMessages,
  { digest, again }: Omit<RequestInput<'window.notify'>, 'id'>,
  { mail, windows, clock, newId, emit, log, runs }: MailServices,
): Promise<Result<{ readonly sent: SentMessage[] }>> {
  const over = whyEnded(window, 'announce')
  if (over !== null) return failed(over)
  if (made.digest !== digest) {
    return failed(refusal('conflict', because('MessagesChanged'), { target: `window/${window.id}` }))
  }
  const stored = mail.store.show()
  if (!stored.ok) return stored
  if (stored.value === null) return failed(refusal('bad-input', because('MailNotSetUp')))
  const password = mail.store.password()
  if (!password.ok) return password
  const sent = await notifyOwners({
    window,
    messages: made.messages.filter(({ to, before }) => to.length > 0 && (again || before.length === 0)),
    digestOf,
    settings: stored.value.settings,
    password: password.value,
    send: mail.send,
    windows,
    clock,
    newId,
    by: runs.driver.operator,
    onWritten: () => emit('window.changed', { id: window.id, cluster: window.cluster }),
  })
  if (!sent.ok) return sent
  // Names of projects, never addresses or texts.
  for (const { projectId, outcome } of sent.value)
    log.info('owner-message', { window: window.id, project: projectId, outcome })
  return ok({ sent: [...sent.value] })
}

function digestOf({ projectId, to, subject, text, before }: OwnerMessage): string {
  return hashOf([projectId ?? '', ...to, subject, text, ...before.map(({ at }) => at)])
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
