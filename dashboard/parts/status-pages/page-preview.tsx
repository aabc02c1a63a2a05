import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod'
import type { PagePreview, PagePreviewRequest } from '../../../src/core/status-pages/shown-page.ts'
import { ask } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { Panel, Waiting } from '../panel.tsx'
import { Segments } from '../segments.tsx'
import { useSettled } from '../use-settled.ts'

const WIDTHS = [
  { value: 'wide', label: t('Desktop') },
  { value: 'narrow', label: t('Phone') },
] as const

/** A document without anything: what is shown is written into it. */
const EMPTY = '<!doctype html><title>Preview</title>'

/** The page as visitors would see it, while it is being changed. */
export function PagePreviewPanel({
  team,
  page,
  draft,
}: {
  team: number
  page: number
  /** Null while something in it is wrong: then the last one that was right stays. */
  draft: z.input<typeof PagePreviewRequest> | null
}) {
  const [width, setWidth] = useState<'wide' | 'narrow'>('wide')
  const right = useRef('{}')
  if (draft) right.current = JSON.stringify(draft)
  const text = useSettled(right.current)
  const answer = useQuery({
    queryKey: [team, 'previewStatusPage', page, text],
    queryFn: () => ask(team, 'previewStatusPage', { id: page, body: JSON.parse(text) }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const preview = answer.data?.data
  return (
    <Panel
      title={t('Preview')}
      className="overflow-hidden"
      actions={<Segments label={t('Width')} value={width} options={WIDTHS} onChoose={setWidth} />}
    >
      {answer.error && <p className="px-4 py-3 text-down">{sayProblem(answer.error)}</p>}
      {preview ? (
        <div className="flex justify-center bg-sunken">
          <Shown preview={preview} isNarrow={width === 'narrow'} />
        </div>
      ) : (
        !answer.error && <Waiting lines={8} />
      )}
    </Panel>
  )
}

/**
 * The dashboard's policy allows no style sheet within a document, so it is given to the frame as an object. Neither does
 * anything in the frame run, lead elsewhere or take the focus.
 */
function Shown({ preview, isNarrow }: { preview: PagePreview; isNarrow: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const { style, html, language } = preview
  useEffect(() => {
    const shown = frame.current?.contentDocument
    if (!isReady || !shown) return
    shown.documentElement.lang = language
    shown.body.inert = true
    shown.body.innerHTML = html
  }, [isReady, html, language])
  useEffect(() => {
    const inside = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined
    if (!isReady || !inside) return
    const sheet = new inside.CSSStyleSheet()
    sheet.replaceSync(style)
    inside.document.adoptedStyleSheets = [sheet]
  }, [isReady, style])
  return (
    <iframe
      ref={frame}
      title={t('Preview of the page')}
      sandbox="allow-same-origin"
      srcDoc={EMPTY}
      onLoad={() => setReady(true)}
      className={`h-[min(44rem,75vh)] w-full border-0 bg-panel ${isNarrow ? 'max-w-[390px]' : ''}`}
    />
  )
}
