/** What a growing report holds (`ludoteca balance --stream` writes it). */
export interface Figure {
  what: string;
  kind: string;
  name: string;
  before: number;
  after: number;
  difference: number;
  half: number;
  percent: boolean;
  of: [number, number];
  verdict: 'moved' | 'same' | 'open';
}

/** The other deck alone, while this one's machine code is made. */
export interface Early {
  deals: number;
  figures: { what: string; kind: string; value: number; half: number; percent: boolean }[];
}

export interface Grown {
  deals: number;
  wanted: number;
  changed: { name: string; columns: string[]; figures: Figure[] }[];
  chairs: Figure[];
  course: Figure[];
  moved: Figure[];
  looked_at: number;
  never: string[];
  always: string[];
  ways: Figure[];
}
