import type { ReactNode } from 'react'
import { t } from '../language/language.ts'
import { LanguageSelect } from '../parts/language-select.tsx'
import { usePageTitle } from '../parts/page-title.ts'
import { Brand } from './shell.tsx'

/** Frame for screens outside a team: sign-in, sign-up, invitations, a new team. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <div className="grid min-h-dvh lg:grid-cols-2">
      <div className="flex flex-col px-5 py-5 sm:px-8">
        <header className="flex items-center justify-between gap-3">
          <Brand />
          <LanguageSelect />
        </header>
        <main
          tabIndex={-1}
          className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-10 outline-none lg:pb-24"
        >
          <h1 className="mb-5 text-2xl font-semibold tracking-tight break-words">{title}</h1>
          {children}
        </main>
      </div>
      <Picture />
    </div>
  )
}

/** The product beside the form, in one look for both themes; a phone has room for the form alone. */
function Picture() {
  return (
    <aside
      aria-label={t('About Upbeat')}
      className="picture sticky top-0 hidden h-dvh flex-col justify-center gap-3 p-12 lg:flex xl:p-20"
    >
      <img src="/picture.svg" alt="" width={560} height={376} className="mb-6 w-full max-w-xl" />
      <p className="max-w-lg text-2xl font-semibold tracking-tight">{t('Know before your users do')}</p>
      <p className="max-w-md text-lg opacity-80">
        {t(
          'Websites, servers and jobs, checked around the clock. Incidents, alerts and status pages in one place.',
        )}
      </p>
    </aside>
  )
}
