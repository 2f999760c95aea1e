/** What the page asks of the server to find people to play with. */
import { ask, randomName } from './api';
import { noteCommitment, noteShare } from './promises';
import type { Around, AskedInfo, AskFriend, InvitationInfo, QuickInfo, QuickWish, TableInfo } from './wire';

const invitations = (table: string) => `/api/tables/${encodeURIComponent(table)}/invitations`;

export const find = {
  around: () => ask<Around>('GET', '/api/around'),

  look: (wish: QuickWish) => ask<QuickInfo>('POST', '/api/quick', wish),
  stands: () => ask<QuickInfo>('GET', '/api/quick'),
  news: () => ask<QuickInfo>('GET', '/api/quick/news'),
  cancel: () => ask<QuickInfo>('POST', '/api/quick/cancel'),

  askedTo: (table: string) => ask<AskedInfo[]>('GET', invitations(table)),
  ask: (table: string, whom: AskFriend) => ask<AskedInfo[]>('POST', invitations(table), whom),
  withdraw: (table: string, id: string) => ask<AskedInfo[]>('POST', `${invitations(table)}/withdraw`, { id }),
  accept: (table: string) => ask<TableInfo>('POST', `${invitations(table)}/accept`),
  decline: (table: string) => ask<InvitationInfo[]>('POST', `${invitations(table)}/decline`),

  /** Comes to the table that was found: writes down what it promises, and throws something random in. */
  async come(found: TableInfo): Promise<TableInfo> {
    const entropy = randomName();
    noteCommitment(found.id, found.fair.commitment);
    noteShare(found.id, entropy);
    return ask<TableInfo>('POST', '/api/quick/come', { entropy });
  },
};
