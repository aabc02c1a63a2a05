import type { ReactNode } from 'react'
import { usePageTitle } from '../parts/page-title.ts'
import { Brand } from './shell.tsx'

/** Frame for screens outside a team: sign-in, sign-up, invitations, a new team. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <main
      tabIndex={-1}
      className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-10 outline-none"
    >
      <div className="mb-6 flex justify-center">
        <Brand />
      </div>
      <div className="rounded-lg border border-line bg-panel p-6">
        <h1 className="mb-4 text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
