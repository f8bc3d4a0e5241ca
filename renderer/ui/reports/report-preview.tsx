import { type ReactNode, useEffect, useRef } from 'react'
import type { ReportFile } from '../../../shared/contract/reports.ts'

/** A long file is previewed by its beginning. */
const MOST_SHOWN = 200_000

/** A preview of a report: a page as a page, everything else as text. */
export function ReportPreview({ file }: { readonly file: Pick<ReportFile, 'mediaType' | 'content'> }): ReactNode {
  const isPage = file.mediaType.startsWith('text/html')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
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
 * Shows a report in a shadow tree with its own style sheet. A frame would inherit this page's policy, which forbids styles in
 * documents; a style sheet made by script is allowed. Scripts are removed, and links stay within the report.
 */
function PagePreview({ html }: { readonly html: string }): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = host
    if (current === null) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(withinHost([...html.matchAll(STYLE)].map(([, style]) => style).join('\n')))
    // The policy forbids styles in parsed text and allows styles set by script: elements get theirs afterwards.
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

/** Makes the style sheet of a document fit a shadow tree: `:root` becomes the host, `body` an element of that name. The fonts are those of the console, which its policy lets load. */
export function withinHost(sheet: string): string {
  return sheet
    .replace(/@font-face\s*\{[^{}]*\}/g, '')
    .replace(/@page\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replace(/(^|[\s},])(?::root|html)(?=\s*[{,])/g, '$1:host')
    .replace(/(^|[\s},])body(?=\s*[{,])/g, '$1.body')
}
