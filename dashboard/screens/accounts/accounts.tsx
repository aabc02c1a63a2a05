import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AccountFrame } from '../../app/account-frame.tsx'
import { accountsQuestion } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { TextField } from '../../parts/field.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Rows } from '../../parts/rows.tsx'
import { AccountLine } from './accounts-line.tsx'

/** Every account of the service, for its operators. */
export default function Accounts() {
  const { user } = useSession()
  return (
    <AccountFrame>
      <PageHead title="Accounts">Everybody who can sign in to this service</PageHead>
      {user.is_operator ? (
        <AccountList />
      ) : (
        <Panel>
          <Empty title="For operators">The operators of this service look after its accounts.</Empty>
        </Panel>
      )}
    </AccountFrame>
  )
}

function AccountList() {
  const [{ search, page }, show] = useState({ search: '', page: 1 })
  const { data, error } = useQuery({ ...accountsQuestion(search, page), placeholderData: keepPreviousData })
  return (
    <div className="flex flex-col gap-5">
      <search>
        <TextField
          label="Search"
          type="search"
          value={search}
          maxLength={255}
          hint="A part of a name or of an address"
          onChange={({ target }) => show({ search: target.value, page: 1 })}
        />
      </search>
      <Panel>
        {error ? (
          <div className="p-4">
            <Refused error={error} />
          </div>
        ) : !data ? (
          <Waiting lines={8} />
        ) : data.accounts.length === 0 ? (
          <Empty title="Nobody is called that">No account has this in its name or its address.</Empty>
        ) : (
          <>
            <Rows label="Accounts">
              {data.accounts.map((account) => (
                <AccountLine key={account.id} account={account} />
              ))}
            </Rows>
            <Pages meta={data.meta} onPage={(next) => show({ search, page: next })} />
          </>
        )}
      </Panel>
    </div>
  )
}
