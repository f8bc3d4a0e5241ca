import type { Webhook } from '../../../../../shared/domain/signals.ts'
import { EVENT_WORDS, FORM_WORDS } from '../../../../../shared/words/signals.ts'
import type { Look } from '../../../../faces/cli/words/look.ts'
import { renderTable } from '../../../../faces/cli/words/table.ts'

export function renderWebhooks(webhooks: readonly Webhook[], look: Look): readonly string[] {
  if (webhooks.length === 0) return ['There is no webhook. Add one: `lockkeeper cluster webhook add`']
  return renderTable(
    ['WEBHOOK', 'FORM', 'HOST', 'EVENTS'],
    webhooks.map(({ name, form, host, events }) => [
      name,
      FORM_WORDS[form],
      host,
      events.map(event => EVENT_WORDS[event]).join(', '),
    ]),
    look,
  )
}
