import { createHmac } from 'node:crypto'
import { assertNever } from '../../../../shared/domain/must.ts'
import type { SignalNews, WebhookForm } from '../../../../shared/domain/signals.ts'
import { visibleText } from '../../../../shared/domain/visible-text.ts'
import { because } from '../../../../shared/words/reasons.ts'

/** Slack refuses more than 3000 characters in a section; longer cards would not be read either. */
const LONGEST_TEXT = 2_000

/** The body of a message in the form its receiver takes. */
export function bodyOf(form: WebhookForm, news: SignalNews): string {
  switch (form) {
    case 'json':
      return JSON.stringify({ version: 1, ...news })
    case 'slack':
      return JSON.stringify(slackOf(news))
    case 'teams':
      return JSON.stringify(teamsOf(news))
    default:
      return assertNever(form, 'form of a webhook')
  }
}

/**
 * What a receiver verifies: `t`, seconds since the epoch, and `v1`, HMAC-SHA256 over `t.body` in hexadecimal. Each attempt has a new one, so
 * that an intercepted message is too old a few minutes later.
 */
export function signatureOf(key: string, body: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1000)
  return `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`
}

/** Blocks of an incoming webhook; `text` is what notifications show. Names come from clouds and people: they must not act as markup. */
function slackOf(news: SignalNews) {
  const title = slackText(titleOf(news))
  return {
    text: title,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${title}*` } },
      { type: 'section', text: { type: 'plain_text', text: shortened(news.text), emoji: false } },
      { type: 'context', elements: [{ type: 'plain_text', text: footOf(news), emoji: false }] },
    ],
  }
}

/** What starts a mention or a link in Slack; `*` would end the bold title. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('*', '∗')
}

/** An Adaptive Card for a workflow that posts messages of a webhook. Its text runs have no markup, unlike its text blocks. */
function teamsOf(news: SignalNews) {
  const said = (text: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            said(titleOf(news), { size: 'Medium', weight: 'Bolder' }),
            said(shortened(news.text)),
            said(footOf(news), { size: 'Small', isSubtle: true }),
          ],
          msteams: { width: 'Full' },
        },
      },
    ],
  }
}

function titleOf({ demo, title }: SignalNews): string {
  return visibleText(demo ? because('NewsOfDemo', { title }).message : title)
}

function shortened(text: string): string {
  const whole = visibleText(text)
  // Neither of the two accepts an empty text.
  if (whole.trim() === '') return '-'
  return whole.length <= LONGEST_TEXT ? whole : `${whole.slice(0, LONGEST_TEXT)}…`
}

function runWords({ id, operator, machine }: NonNullable<SignalNews['run']>): string {
  return because('NewsOfRun', { run: id, operator, machine }).message
}

function footOf({ id, at, run, window, cluster }: SignalNews): string {
  return visibleText(
    [
      cluster,
      ...(run === null ? [] : [runWords(run)]),
      ...(window === null ? [] : [`window ${window.title}`]),
      at,
      id,
    ].join(' · '),
  )
}
