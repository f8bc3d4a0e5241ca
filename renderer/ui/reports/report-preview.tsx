import { type ReactNode, useEffect, useRef } from 'react'
import type { ReportFile } from '../../../shared/contract/reports.ts'

/** A long file is looked at by its beginning. */
const MOST_SHOWN = 200_000

/** A report as it was made, before it is saved: a page as a page, everything else as text. */
export function ReportPreview({ file }: { readonly file: Pick<ReportFile, 'mediaType' | 'content'> }): ReactNode {
  const isPage = file.mediaType.startsWith('text/html')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key.
    <section className="rep-preview" aria-label="Preview" tabIndex={0}>
      {isPage ? (
        <PagePreview html={file.content} />
      ) : (
        <pre>
          {file.content.slice(0, MOST_SHOWN)}
          {file.content.length > MOST_SHOWN ? '\n… the rest is in the file' : ''}
        </pre>
      )}
    </section>
  )
}

const STYLE = /<style>([^<]*)<\/style>/g
const STYLE_OF_ELEMENT = / style="/g

/**
 * The page of a report in a tree of its own, with its own style sheet. A frame would take over the policy of our page, which allows no style
 * in a document; a style sheet that is made here is no part of one. Nothing in it runs: scripts are left out, and its links stay within it.
 */
function PagePreview({ html }: { readonly html: string }): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = host
    if (current === null) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(withinHost([...html.matchAll(STYLE)].map(([, style]) => style).join('\n')))
    // Our policy forbids styles in a text that is parsed, and allows those that are set: elements get theirs afterwards.
    const text = html.replace(STYLE, '').replace(STYLE_OF_ELEMENT, ' data-style="')
    const page = new DOMParser().parseFromString(text, 'text/html')
    for (const element of page.querySelectorAll('script, style, link, meta, base, iframe, object, embed, form')) {
      element.remove()
    }
    const body = document.createElement('div')
    body.className = 'body'
    body.append(...document.importNode(page.body, true).childNodes)
    const root = current.shadowRoot ?? current.attachShadow({ mode: 'open' })
    for (const element of body.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
      element.style.cssText = element.dataset.style ?? ''
    }
    root.adoptedStyleSheets = [sheet]
    root.replaceChildren(body)
    const stayWithin = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link === null) return
      event.preventDefault()
      root.getElementById(link.getAttribute('href')?.replace(/^#/, '') ?? '')?.scrollIntoView({ block: 'start' })
    }
    root.addEventListener('click', stayWithin)
    return () => root.removeEventListener('click', stayWithin)
  }, [html])
  return <div ref={host} />
}

/** A style sheet of a whole document, for one that stands within another: its root is the host, its body an element of that name. */
export function withinHost(sheet: string): string {
  return sheet
    .replace(/@page\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replace(/(^|[\s},])(?::root|html)(?=\s*[{,])/g, '$1:host')
    .replace(/(^|[\s},])body(?=\s*[{,])/g, '$1.body')
}
