/** Names from many places. First and last names are combined without regard to origin, as in a company of all the world. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const FIRST_NAMES = words(`
  Ada Adrian Aiko Alina Amara Amir Ana Anders Anita Anton Arjun Astrid Ayesha Beatriz Benedikt Bianca Bjorn Camila Carla
  Carlos Cecilia Chen Chiara Clara Cyrus Daniel Daria David Delphine Diego Dmitri Dora Edith Eduardo Elena Elif Emil Emma
  Enzo Erik Esther Eva Fabian Farid Fatima Felix Fiona Florian Freya Gabriel Gita Grace Greta Hana Hannah Hassan Helena
  Henrik Hiro Ida Ines Ingrid Irina Isaac Isabel Ivan Jakob Jana Jasmin Jonas Jorge Julia Kai Karim Katarina Kenji Klara
  Kofi Lars Laura Leila Lena Leo Lina Linus Lucia Luis Magnus Maja Marco Maria Marta Mateo Maya Mehmet Mia Milan Mina
  Mohamed Naomi Nadia Nils Nina Noah Nora Olga Oliver Omar Oscar Paula Pavel Petra Priya Rafael Ravi Rosa Ruth Said Samuel
  Sara Selma Simon Sofia Stefan Sunita Tariq Tomas Ulrike Valeria Vera Viktor Wanda Yara Yusuf Zoe
`);

export const LAST_NAMES = words(`
  Abe Abebe Ahmed Akhtar Almeida Andersen Arslan Asante Bakker Baumann Becker Bianchi Bergstrom Blanc Bondar Brandt Carvalho
  Castro Cohen Conti Costa Dahl Delgado Demir Diallo Dimitrov Dubois Eriksen Esposito Fernandes Fischer Fontaine Fraser Fujita
  Garcia Georgiou Gomes Graf Gruber Gupta Haas Hansen Hashimoto Herrera Hoffmann Horvat Huber Ibrahim Iglesias Ito Ivanova
  Jansen Jensen Johansson Kamau Kaplan Karlsson Kaya Keller Khan Kim Kobayashi Kovacs Kowalski Krause Kumar Laine Lang Larsen
  Laurent Leclerc Lehmann Lindqvist Lopez Lund Mahmoud Maier Marino Martins Mbeki Mehta Mendes Meyer Molina Moreau Moreno
  Morita Mueller Nakamura Navarro Nguyen Nielsen Novak Nowak Obi Okafor Olsen Ortega Osman Papadakis Park Patel Pereira Petrov
  Popescu Rahman Ramos Reyes Ricci Rojas Romano Roux Ruiz Saito Santos Sato Schmid Schneider Schulz Sharma Silva Singh Sorensen
  Sousa Stein Svensson Takahashi Tanaka Teixeira Torres Tran Turner Ueda Vargas Vasquez Vega Vogel Wagner Walker Wang Weber Weiss
  Wolf Yamada Yilmaz Zhang Ziegler Zimmermann
`);

export const JOB_TITLES: Readonly<Record<string, readonly string[]>> = {
  sales: words('Account-Manager Sales-Representative Sales-Lead').map((title) => title.replaceAll('-', ' ')),
  operations: ['Operations Specialist', 'Shift Lead', 'Planner'],
  engineering: ['Software Engineer', 'Data Engineer', 'Quality Engineer', 'Engineering Lead'],
  finance: ['Accountant', 'Controller', 'Financial Analyst'],
  marketing: ['Campaign Manager', 'Designer', 'Copywriter'],
  people: ['Recruiter', 'People Partner'],
  it: ['Systems Administrator', 'Support Engineer', 'Network Engineer'],
};

export const UNTITLED = ['Specialist', 'Analyst', 'Manager'];
