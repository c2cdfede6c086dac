/** Who may open a page: anyone, somebody who is signed in, or an administrator of the installation. */
export type Access = 'anyone' | 'user' | 'admin';
