<?php
require __DIR__ . '/client.php';

echo bluejay('GET', '/v1/wallet')['balanceCents'], " cents\n";
$cursor = null;
do {
    $query = http_build_query(['limit' => 100, 'cursor' => $cursor]);
    $page = bluejay('GET', "/v1/wallet/transactions?$query");
    foreach ($page['data'] as $entry) {
        echo "{$entry['seq']} {$entry['kind']} {$entry['amountCents']}\n";
    }
    $cursor = $page['nextCursor'];
} while ($cursor !== null);
