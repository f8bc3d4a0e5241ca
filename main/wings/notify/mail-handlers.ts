import { createHash } from 'node:crypto'
import type { OwnerMessage, OwnerMessages } from '../../../shared/domain/mail.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Handlers } from '../../api/serve.ts'
import type { ApiServices } from '../../api/services.ts'
import type { SendMail } from '../../ports/mail.ts'
import { createOwnersReader } from '../../windows/owners.ts'
import { createWindowReader } from '../../windows/window-reader.ts'
import { whyEnded } from '../../windows/window-rules.ts'
import { NO_ADDRESSES, readAddressBook } from './mail/address-book.ts'
import type { MailStore } from './mail/mail-settings.ts'
import { notifyOwners } from './mail/notify-owners.ts'
import { ownerMessages } from './mail/owner-messages.ts'

export type MailHandlers = Pick<Handlers, 'mail.show' | 'mail.change' | 'window.messages' | 'window.notify'>

/** Requests about mail to the owners of instances. */
export function mailHandlers(
  services: Pick<ApiServices, 'clock' | 'emit' | 'log' | 'newId' | 'runs' | 'windows' | 'worlds'> & {
    /** How mail is set up, and sent. */
    readonly mail: { readonly store: MailStore; readonly send: SendMail }
  },
): MailHandlers {
  const { mail, windows, clock, newId, emit, log } = services
  const windowReader = createWindowReader(services)
  const owners = createOwnersReader(services)

  async function messagesOf(
    id: string,
  ): Promise<Result<{ readonly window: MaintenanceWindow; readonly made: OwnerMessages }>> {
    const found = windowReader.find(id)
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

  return {
    'mail.show': async () => {
      const shown = mail.store.show()
      return shown.ok ? ok(shown.value === null ? null : { ...shown.value }) : shown
    },
    'mail.change': async ({ settings, password }) => {
      if (settings.addresses !== null) {
        const readable = await readAddressBook(settings.addresses)
        if (!readable.ok) return readable
      }
      const changed = mail.store.change(settings, password ?? null)
      return changed.ok ? ok({}) : changed
    },
    'window.messages': async ({ id }) => {
      const found = await messagesOf(id)
      return found.ok ? ok(found.value.made) : found
    },
    'window.notify': async ({ id, digest, again }) => {
      const found = await messagesOf(id)
      if (!found.ok) return found
      const { window, made } = found.value
      const over = whyEnded(window, 'announce')
      if (over !== null) return failed(over)
      if (made.digest !== digest) {
        return failed(refusal('conflict', because('MessagesChanged'), { target: `window/${window.id}` }))
      }
      const stored = mail.store.show()
      if (!stored.ok) return stored
      if (stored.value === null) {
        return failed(refusal('bad-input', because('MailNotSetUp')))
      }
      const password = mail.store.password()
      if (!password.ok) return password
      const wanted = made.messages.filter(({ to, before }) => to.length > 0 && (again || before.length === 0))
      const sent = await notifyOwners({
        window,
        messages: wanted,
        digestOf,
        settings: stored.value.settings,
        password: password.value,
        send: mail.send,
        windows,
        clock,
        newId,
        by: services.runs.driver.operator,
        onWritten: () => emit('window.changed', { id: window.id, cluster: window.cluster }),
      })
      if (!sent.ok) return sent
      // Names of projects, never addresses or texts.
      for (const { projectId, outcome } of sent.value)
        log.info('owner-message', { window: window.id, project: projectId, outcome })
      return ok({ sent: [...sent.value] })
    },
  }
}

function digestOf({ projectId, to, subject, text, before }: OwnerMessage): string {
  return hashOf([projectId ?? '', ...to, subject, text, ...before.map(({ at }) => at)])
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
