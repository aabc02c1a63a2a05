import { useRef, useState } from 'react'
import { LOGO_TYPES, logoTypeOf } from '../../../../src/core/status-pages/logo/logo.ts'
import type { StatusPageDetail } from '../../../../src/core/status-pages/shown-page.ts'
import { MAX_LOGO_BYTES } from '../../../../src/core/status-pages/status-page.ts'
import { ask } from '../../../data/ask.ts'
import { useTeam } from '../../../data/session.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { Refused } from '../../../parts/feedback/refused.tsx'
import { Section } from '../../../parts/panel.tsx'
import { useChangePage } from '../../../parts/status-pages/use-page.ts'

const MAX_KB = MAX_LOGO_BYTES / 1_024

type Chosen = { base64: string; type: string }

/** The logo in place of the name; looked at before it is saved. */
export function PageLogo({ page }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const save = useChangePage(t('The logo is saved.'), () => setChosen(null))
  const clear = useChangePage(t('The logo is removed.'))
  const { id, logo, name } = page
  const shown = chosen
    ? `data:${chosen.type};base64,${chosen.base64}`
    : logo && `/status/${page.slug}/logo?v=${logo.tag}`

  async function choose(file: File | undefined) {
    if (!file) return
    const read = await readLogo(file)
    setFault(typeof read === 'string' ? read : null)
    setChosen(typeof read === 'string' ? null : read)
  }

  return (
    <Section
      title={t('Logo')}
      about={t('Shown in place of the name, 36 pixels high. PNG, JPEG, WebP or GIF of at most {max} kB.', {
        max: MAX_KB,
      })}
    >
      <div className="flex flex-col items-start gap-4 p-4">
        {shown && (
          <div className="flex max-w-full gap-2 rounded-md border border-line">
            <span className="rounded-l-md bg-white p-3">
              <img
                src={shown}
                alt={t('Logo of {name} on white', { name })}
                className="h-9 max-w-32 object-contain"
              />
            </span>
            <span className="rounded-r-md bg-black p-3">
              <img
                src={shown}
                alt={t('Logo of {name} on black', { name })}
                className="h-9 max-w-32 object-contain"
              />
            </span>
          </div>
        )}
        <input
          ref={input}
          type="file"
          accept={LOGO_TYPES.join(',')}
          aria-label={t('Logo')}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            void choose(target.files?.[0])
            // The same file can be chosen again, once it is another.
            target.value = ''
          }}
        />
        {fault && (
          <p role="alert" className="text-down">
            {fault}
          </p>
        )}
        <Refused error={save.error ?? clear.error} />
        <div className="flex flex-wrap gap-2">
          {chosen && (
            <Button
              tone="main"
              busy={save.isPending}
              onClick={() =>
                save.mutate(() => ask(team, 'setStatusPageLogo', { id, body: { logo: chosen.base64 } }))
              }
            >
              {t('Save logo')}
            </Button>
          )}
          <Button onClick={() => input.current?.click()}>{t('Choose image…')}</Button>
          {chosen ? (
            <Button tone="quiet" onClick={() => setChosen(null)}>
              {t('Cancel')}
            </Button>
          ) : (
            logo && (
              <Button
                tone="danger"
                busy={clear.isPending}
                onClick={() => clear.mutate(() => ask(team, 'clearStatusPageLogo', { id }))}
              >
                {t('Remove logo')}
              </Button>
            )
          )}
        </div>
      </div>
    </Section>
  )
}

/** The image, or what is wrong with it. */
async function readLogo(file: File): Promise<Chosen | string> {
  if (file.size > MAX_LOGO_BYTES) {
    return t('The image has {size, number} kB; at most {max} kB are allowed.', {
      max: MAX_KB,
      size: Math.ceil(file.size / 1_024),
    })
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const type = logoTypeOf(bytes)
  if (type === null) return t('The file must be a PNG, JPEG, WebP or GIF image. SVG is not taken.')
  return { type, base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) }
}
