import { PageHead } from '../parts/panel.tsx'

export default function Contacts() {
  return <PageHead title="Contacts" />
}
