import type { ReactNode } from 'react'
import { Brand } from './shell.tsx'

/** Frame for pages that belong to no team and no account, such as an address that leads nowhere. */
export function Outside({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="flex h-14 items-center border-b border-line bg-panel px-4 sm:px-6">
        <Brand />
      </header>
      <main tabIndex={-1} className="outline-none">
        {children}
      </main>
    </>
  )
}
