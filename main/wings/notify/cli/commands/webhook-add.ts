import { failed, ok, type Result } from '../../../../../shared/domain/result.ts'
import { signalsOf, WebhookEvent, WebhookForm } from '../../../../../shared/domain/signals.ts'
import { shellWord } from '../../../../../shared/grammar/shell-word.ts'
import { because } from '../../../../../shared/words/reasons.ts'
import { refusal } from '../../../../../shared/words/refusal.ts'
import type { Command, CommandContext } from '../../../../faces/cli/command.ts'
import { askLine } from '../../../../faces/cli/follow/questions.ts'
import { reportFailure } from '../../../../faces/cli/report-failure.ts'
import { readSecret } from '../read-secret.ts'
import { renderWebhooks } from '../render/render-webhooks.ts'

export const addWebhook: Command = async context => {
  const { args, contract, printer } = context
  const [cluster, name] = [args.operand('CLUSTER'), args.operand('WEBHOOK')]
  const listed = await contract.ask('cluster.list', {})
  if (!listed.ok) return reportFailure(context, listed.failure)
  const known = listed.value.find(each => each.name === cluster)
  const earlier = known === undefined ? undefined : signalsOf(known).webhooks.find(each => each.name === name)
  const url = await secretOf('url-file', earlier === undefined ? `Address of webhook ${name}` : null, context)
  if (!url.ok) return reportFailure(context, url.failure)
  const key = await secretOf('key-file', null, context)
  if (!key.ok) return reportFailure(context, key.failure)
  const events = WebhookEvent.options.filter(event => args.texts('on').includes(event))
  const kept = await contract.ask('webhook.keep', {
    cluster,
    name,
    form: WebhookForm.safeParse(args.text('form')).data ?? earlier?.form ?? 'json',
    events: events.length > 0 ? events : (earlier?.events ?? WebhookEvent.options),
    url: url.value,
    key: key.value,
  })
  if (!kept.ok) return reportFailure(context, kept.failure)
  const { webhooks } = signalsOf(kept.value)
  if (printer.json) printer.value(webhooks)
  else {
    printer.say(...renderWebhooks(webhooks, printer.look))
    printer.say(`Try it: \`lockkeeper cluster webhook test ${shellWord(cluster)} ${shellWord(name)}\``)
  }
  return 0
}

/** A secret from its flag or typed at a terminal; null if it does not change. */
async function secretOf(
  flag: 'url-file' | 'key-file',
  question: string | null,
  context: CommandContext,
): Promise<Result<string | null>> {
  const { args, io, printer } = context
  const { signal } = new AbortController()
  const file = args.text(flag)
  if (file !== null) return readSecret(file, io, signal)
  if (question === null || !io.canAsk || !printer.channel.isTTY) return ok(null)
  const typed = await askLine(question, context, signal)
  return typed === null || typed === '' ? failed(refusal('aborted', because('SecretNotTyped'))) : ok(typed)
}
