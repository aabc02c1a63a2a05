import { useEffect, useRef } from 'react'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'

/** Shows the codes, this once: only their hashes are stored. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {t('Your recovery codes')}
      </h3>
      <p className="mt-1">
        {t(
          'Each code signs you in once without the app, in case you lose your phone. They are shown only once: store them somewhere safe, not on the phone.',
        )}
      </p>
      <ul
        aria-label={t('Recovery codes')}
        className="my-4 grid gap-x-8 gap-y-1 rounded-md border border-line bg-sunken p-4 font-mono sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="wrap-anywhere">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={t('the recovery codes')} />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="upbeat-recovery-codes.txt"
          className={buttonLook()}
        >
          {t('Download')}
        </a>
        <Button tone="main" onClick={onDone}>
          {t('I have saved them')}
        </Button>
      </div>
    </>
  )
}
