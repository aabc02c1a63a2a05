import type { ReactNode } from 'react'
import { useDocs } from '../../data/account.ts'
import { NewTab } from '../../language/hidden.tsx'
import { rich } from '../../language/language.ts'

/** A setting that the environment has, so that it cannot be changed here. */
export function FixedSetting({
  variable,
  children,
}: {
  variable: 'SITE_URL' | 'SMTP_URL' | 'MAIL_FROM'
  children: ReactNode
}) {
  const docs = useDocs('/configuration')
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium wrap-anywhere">{children}</p>
      <p className="text-sm text-soft">
        {rich(
          'Set by {variable} in the environment of the service, which wins. To change it here, <link>take the variable away</link> and restart once.',
          {
            variable: <code className="font-mono">{variable}</code>,
            link: (inside) => (
              <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
                {inside}
                <NewTab />
              </a>
            ),
          },
        )}
      </p>
    </div>
  )
}
